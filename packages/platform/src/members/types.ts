import type { Role } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';

/** Where a member stands (contract, section 3). */
export type MemberStatus = 'pending_invite' | 'active' | 'suspended';

/**
 * Who may suspend a member: an administrator, or the identity provider by SCIM. Each ends its own
 * suspension only, and the member has access once neither is left.
 */
export const SUSPENDING_PARTIES = ['admin', 'scim'] as const;
export type SuspendingParty = (typeof SUSPENDING_PARTIES)[number];

/** When each party suspended the member; null where it did not, or has ended its suspension. */
export type SuspensionTimes = Readonly<Record<SuspendingParty, Date | null>>;

/** The suspension times of a member that nobody suspends. */
export const NOT_SUSPENDED: SuspensionTimes = Object.freeze({ admin: null, scim: null });

/** A person in an organization. */
export interface Member {
  readonly id: string;
  readonly organizationId: string;
  /** As written; unique within the organization without regard to case. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: MemberStatus;
  /** By whom the member is suspended, and since when; `status` is `suspended` while either is. */
  readonly suspendedAt: SuspensionTimes;
  readonly mfaEnabled: boolean;
  readonly createdAt: Date;
  readonly lastLogin: Date | null;
}

/** Where an invitation stands (contract, section 3). */
export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;

/** State of an invitation; `expired` is never stored, see {@link invitationStatus}. */
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** How long the token of an invitation can be used (contract, section 3). */
export const INVITATION_LIFETIME_MS = 7 * DAY_MS;

/** The parts of an invitation that a new token changes. */
export interface InvitationToken {
  /** SHA-256 of the present token. */
  readonly tokenHash: string;
  /** The token, sealed, until it has been sent or the invitation has ended; then null. */
  readonly sealedToken: string | null;
  /** When the present token was made. */
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** An invitation to become an active member (specification, "Invitation"). */
export interface Invitation extends InvitationToken {
  readonly id: string;
  readonly organizationId: string;
  /** The member that it was made with; the invitation outlives a member who is removed. */
  readonly memberId: string;
  readonly email: string;
  /** The role that the member has, or had when the invitation ended. */
  readonly role: Role;
  readonly createdAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** An invitation with its state at the moment of reading. */
export interface InvitationOverview extends Invitation {
  readonly status: InvitationStatus;
}

/** The state at a moment: expiry is derived, so that no row says pending after its time. */
export function invitationStatus(
  { acceptedAt, revokedAt, expiresAt }: Invitation,
  now: Date,
): InvitationStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}
