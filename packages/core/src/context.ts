import type { Rights, RightsOfRole } from './contract/permissions.ts';
import type { Plan } from './contract/plans.ts';
import type { Scope } from './contract/scopes.ts';
import type { DatabaseSession } from './storage/database.ts';
import type { UnitOfWork } from './storage/unit-of-work.ts';

/**
 * The caller: an authenticated key (or a host's equivalent of one) within one organization, with a
 * role, or with a list of permissions and `role: null`.
 */
export type Principal = PrincipalIdentity & Rights;

/** A caller with a role. */
export type RolePrincipal = PrincipalIdentity & RightsOfRole;

/** Who a caller is, without its rights. */
interface PrincipalIdentity {
  readonly organizationId: string;
  /** The acting member. */
  readonly memberId: string;
  /** The credential used; rate limits are counted per credential. */
  readonly keyId: string;
  /**
   * Set when a person signed in: the session, also in `keyId`; rate limits then count per member.
   */
  readonly sessionId?: string | undefined;
  /** The organization's plan, for limits and features. */
  readonly plan: Plan;
  /** The limits of the credential; absent: everything that the role or the permissions allow. */
  readonly grant?: Grant | undefined;
}

/** The limits of a credential; the role or the permissions limit it as well. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** The ids of the only resources that it may use; null for all of the organization. */
  readonly resourceIds: readonly string[] | null;
}

/** The trace that a call belongs to; the host that made it knows more of it. */
export interface CallTrace {
  /** 32 hexadecimal digits (W3C Trace Context). */
  readonly traceId: string;
}

/** Context of a service call: the request that caused it. */
export interface CallContext {
  readonly principal: Principal;
  /** Id of the request in responses, logs and the audit log. */
  readonly requestId: string;
  /** The client's address as reported by the trusted proxies; null when there is none. */
  readonly address: string | null;
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The transaction around the whole request, which stores its response together with its effect.
   */
  readonly unit?: UnitOfWork | undefined;
  /**
   * The call's Idempotency-Key, for an effect on another system, which no transaction makes happen once.
   */
  readonly idempotencyKey?: string | undefined;
  /** Runs at the start of every transaction that the call opens; absent for callers of a host. */
  readonly confirm?: ConfirmCredential | undefined;
  /** Absent where the host traces nothing. */
  readonly trace?: CallTrace | undefined;
}

/**
 * Looks at the credential of a call again, in a transaction that is about to write, and keeps it as
 * it is until the transaction ends: a revocation is answered either before the check or after the
 * commit.
 * @throws ProbityError `unauthorized` when the credential has ended, `forbidden` when it has
 *   fewer rights than before
 */
export type ConfirmCredential = (session: DatabaseSession) => Promise<void>;
