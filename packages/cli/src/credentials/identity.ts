import type { Caller, CallOptions } from '@probity/client';
import type { Session } from '../server/session.ts';

/** Whose a key is. */
export interface Identity extends Caller {
  /** Name of the organization; null on a server without the platform API, as in an application. */
  readonly organizationName: string | null;
}

/**
 * Whose the key of a session is.
 * @throws ProbityError when the key is refused or there is no Probity
 */
export async function identify(
  { access, client }: Session,
  options: CallOptions,
): Promise<Identity> {
  const caller = await client.whoami.get(options);
  // An application has accounts of its own, and its paths are not asked by guess.
  if (access.apiPath !== null) return { ...caller, organizationName: null };
  const { NotFoundError, PermissionError, ResponseError } = await import('@probity/client');
  try {
    const { items } = await client.organizations.list({ limit: 10 }, options);
    const own = items.find(({ id }) => id === caller.organizationId);
    return { ...caller, organizationName: own?.name ?? null };
  } catch (error) {
    const isAbsent = [NotFoundError, PermissionError, ResponseError].some(
      (type) => error instanceof type,
    );
    if (!isAbsent) throw error;
    return { ...caller, organizationName: null };
  }
}
