import type { CallContext } from '../context.ts';
import type { Caller, CallerIdentity, CallerRights } from '../http/authentication.ts';
import { toPrincipal } from '../http/authentication.ts';
import { createIds } from '../ids.ts';
import type { DatabaseSession } from '../storage/database.ts';
import { requireKnownOptions } from './known-options.ts';

/** The caller of a service in code: an organization at the least. */
export type CodeCaller = Pick<CallerIdentity, 'organizationId'> &
  Partial<CallerIdentity> &
  Partial<CallerRights>;

/** Options of {@link contextOf}. */
export interface CodeOptions {
  /** `sessionOf(transaction)` of `@probity/core/sql`: the call joins the host's transaction. */
  readonly session?: DatabaseSession | undefined;
}

const ids = createIds();
const CALLER = [
  ...['organizationId', 'memberId', 'keyId', 'role', 'permissions', 'plan'],
  ...['sessionId', 'session'],
];

/**
 * The context of a call in code, made by the program itself or on behalf of a user.
 *
 * @param caller default: member `system` with the role `owner`, as endpoints check permissions and
 *   calls in code do not
 * @throws TypeError that names the member at fault, or one that does not exist
 * @example
 * await probity.services.governance.scan(contextOf({ organizationId: 'acme' }), { response });
 */
export function contextOf(caller: CodeCaller, options: CodeOptions = {}): CallContext {
  requireKnownOptions('contextOf', caller, CALLER);
  requireKnownOptions('contextOf', options, ['session']);
  const { session } = options;
  const hasRights = 'role' in caller || 'permissions' in caller;
  const rights = hasRights ? {} : { role: 'owner' };
  const given = { memberId: 'system', ...rights, ...caller } as Caller;
  const principal = toPrincipal(given, 'contextOf:');
  const context = { principal, requestId: ids.next('req'), address: null };
  return session ? { ...context, unit: { open: async () => session } } : context;
}
