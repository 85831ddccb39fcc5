import type { CallContext } from '../context.ts';
import type { Caller } from '../http/authentication.ts';
import { toPrincipal } from '../http/authentication.ts';
import { createIds } from '../ids.ts';
import type { DatabaseSession } from '../storage/database.ts';

/** The caller of a service in code: an organization at the least. */
export type CodeCaller = Pick<Caller, 'organizationId'> & Partial<Caller>;

/** Options of {@link contextOf}. */
export interface CodeOptions {
  /** `sessionOf(transaction)` of `@probity/core/sql`: the call joins the host's transaction. */
  readonly session?: DatabaseSession;
}

const ids = createIds();

/**
 * The context of a call in code, made by the program itself or on behalf of a user.
 *
 * @param caller default: member `system` with the role `owner`
 * @throws TypeError that names the member of `caller` at fault
 * @example
 * await probity.services.governance.scan(contextOf({ organizationId: 'acme' }), { response });
 */
export function contextOf(caller: CodeCaller, { session }: CodeOptions = {}): CallContext {
  const principal = toPrincipal({ memberId: 'system', role: 'owner', ...caller }, 'contextOf:');
  const context = { principal, requestId: ids.next('req'), address: null };
  return session ? { ...context, unit: { open: async () => session } } : context;
}
