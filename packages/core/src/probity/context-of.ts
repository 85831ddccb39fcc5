import type { CallContext } from '../context.ts';
import type { Caller } from '../http/authentication.ts';
import { toPrincipal } from '../http/authentication.ts';
import { createIds } from '../ids.ts';

/** The caller of a service in code: an organization at the least. */
export type CodeCaller = Pick<Caller, 'organizationId'> & Partial<Caller>;

const ids = createIds();

/**
 * The context of a call in code, made by the program itself or on behalf of a user.
 *
 * @param caller default: member `system` with the role `owner`
 * @throws TypeError that names the member of `caller` at fault
 * @example
 * await probity.services.governance.scan(contextOf({ organizationId: 'acme' }), { response });
 */
export function contextOf(caller: CodeCaller): CallContext {
  const principal = toPrincipal({ memberId: 'system', role: 'owner', ...caller });
  return { principal, requestId: ids.next('req'), address: null };
}
