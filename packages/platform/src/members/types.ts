import type { Role } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';

/** Statuses of a member (contract, section 3). */
export type MemberStatus = 'pending_invite' | 'active' | 'suspended';

/**
 * Parties that can suspend a member: an administrator, or the identity provider through SCIM. Each
 * ends its own suspension only; the member has access when neither suspends it.
 */
export const SUSPENDING_PARTIES = ['admin', 'scim'] as const;
export type SuspendingParty = (typeof SUSPENDING_PARTIES)[number];

/** When each party suspended the member; null for a party that does not suspend it. */
export type SuspensionTimes = Readonly<Record<SuspendingParty, Date | null>>;

/** The suspension times of a member that is not suspended. */
export const NOT_SUSPENDED: SuspensionTimes = Object.freeze({ admin: null, scim: null });

/** A person in an organization. */
export interface Member {
  readonly id: string;
  readonly organizationId: string;
  /** As entered; unique within the organization, ignoring case. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: MemberStatus;
  /** When each party suspended the member; `status` is `suspended` while either does. */
  readonly suspendedAt: SuspensionTimes;
  readonly mfaEnabled: boolean;
  readonly createdAt: Date;
  readonly lastLogin: Date | null;
}

/** Statuses of an invitation (contract, section 3). */
export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;

/** Status of an invitation; `expired` is never stored, see {@link invitationStatus}. */
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Lifetime of an invitation's token (contract, section 3). */
export const INVITATION_LIFETIME_MS = 7 * DAY_MS;

/** The fields of an invitation that a new token replaces. */
export interface InvitationToken {
  /** SHA-256 of the current token. */
  readonly tokenHash: string;
  /** The sealed token; null once it has been sent or the invitation has ended. */
  readonly sealedToken: string | null;
  /** When the current token was issued. */
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** An invitation to become an active member (specification, "Invitation"). */
export interface Invitation extends InvitationToken {
  readonly id: string;
  readonly organizationId: string;
  /** The invited member; the invitation outlives a member who is removed. */
  readonly memberId: string;
  readonly email: string;
  /** The member's role, as of the end of the invitation if it has ended. */
  readonly role: Role;
  readonly createdAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** An invitation with its status at the time of reading. */
export interface InvitationOverview extends Invitation {
  readonly status: InvitationStatus;
}

/** The status at `now`: expiry is derived, so that no stored row is pending after its time. */
export function invitationStatus(
  { acceptedAt, revokedAt, expiresAt }: Invitation,
  now: Date,
): InvitationStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}
