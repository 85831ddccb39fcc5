import type { Role } from './contract/permissions.ts';
import type { Plan } from './contract/plans.ts';
import type { UnitOfWork } from './storage/unit-of-work.ts';

/** Who is asking: an authenticated key (or a host's own notion of one) within one organization. */
export interface Principal {
  readonly organizationId: string;
  /** The member that acts. */
  readonly memberId: string;
  /** The credential used; rate limits are counted per credential. */
  readonly keyId: string;
  /** Where a person signed in: the session, which is `keyId` as well; its member is what is limited. */
  readonly sessionId?: string | undefined;
  readonly role: Role;
  /** The organization's plan, for limits and features. */
  readonly plan: Plan;
}

/** What every service call is told about the request it serves. */
export interface CallContext {
  readonly principal: Principal;
  /** Identifier of the request in responses, logs and the audit log. */
  readonly requestId: string;
  /** The client's address as the trusted proxies tell it; null where there is none. */
  readonly address: string | null;
  /** Aborted when the caller has gone or the time is up. */
  readonly signal?: AbortSignal;
  /** The transaction around the whole request, where its answer is stored with its effect. */
  readonly unit?: UnitOfWork | undefined;
}
