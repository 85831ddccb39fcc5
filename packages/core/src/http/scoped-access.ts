import type { Grant, Principal } from '../context.ts';
import { notFound, ProbityError } from '../errors.ts';
import type { Endpoint, ScopedAccess } from './endpoint.ts';

/**
 * Keeps a credential of limited scope to the endpoints that declare its scopes and to its resources.
 * @throws ProbityError `forbidden`; `not_found` for another resource
 */
export function requireGranted(
  { grant }: Principal,
  { scoped }: Endpoint,
  params: Readonly<Record<string, string | undefined>>,
): void {
  if (!grant) return;
  if (!scoped) {
    throw new ProbityError(
      'forbidden',
      'This operation is not open to credentials of limited scope.',
    );
  }
  if (!grant.scopes.includes(scoped.scope)) {
    throw new ProbityError(
      'forbidden',
      `This operation needs the scope ${scoped.scope}, which the credential does not have.`,
    );
  }
  if (grant.resourceIds) requireResource(grant.resourceIds, scoped, params);
}

function requireResource(
  ids: NonNullable<Grant['resourceIds']>,
  { resources }: ScopedAccess,
  params: Readonly<Record<string, string | undefined>>,
): void {
  if (resources === undefined) {
    throw new ProbityError(
      'forbidden',
      'This operation is not open to credentials that are limited to certain resources.',
    );
  }
  if (typeof resources === 'string') return;
  const id = params[resources.byParameter];
  if (id === undefined || !ids.includes(id)) throw notFound(resources.kind);
}

/**
 * Checks the declaration of an endpoint.
 * @throws Error when credentials would be kept to resources by a parameter that does not exist
 */
export function checkScopedAccess({ scoped, path, aliases = [], operationId }: Endpoint): void {
  const resources = scoped?.resources;
  if (typeof resources !== 'object') return;
  const parameter = `{${resources.byParameter}}`;
  if ([path, ...aliases].every((each) => each.split('/').includes(parameter))) return;
  throw new Error(`${operationId} names resources by ${parameter}, which its path does not have.`);
}
