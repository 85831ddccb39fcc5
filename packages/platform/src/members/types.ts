import type { Role } from '@probity/core';

/** Where an invitation stands (contract, section 3). */
export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;

/** State of an invitation; `expired` is never stored, see {@link invitationStatus}. */
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** How long the token of an invitation can be used (contract, section 3). */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000;

/** An invitation to become an active member (specification, "Invitation"). */
export interface Invitation {
  readonly id: string;
  readonly organizationId: string;
  /** The member that it was made with; the invitation outlives a member who is removed. */
  readonly memberId: string;
  readonly email: string;
  /** The role that the member has, or had when the invitation ended. */
  readonly role: Role;
  /** SHA-256 of the present token. */
  readonly tokenHash: string;
  /** The token, sealed, until it has been sent or the invitation has ended; then null. */
  readonly sealedToken: string | null;
  readonly createdAt: Date;
  /** When the present token was made. */
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** An invitation with its state at the moment of reading. */
export interface InvitationOverview extends Invitation {
  readonly status: InvitationStatus;
}

/** The parts of an invitation that a new token changes. */
export type InvitationToken = Pick<
  Invitation,
  'tokenHash' | 'sealedToken' | 'sentAt' | 'expiresAt'
>;

/** The state at a moment: expiry is derived, so that no row says pending after its time. */
export function invitationStatus(
  { acceptedAt, revokedAt, expiresAt }: Invitation,
  now: Date,
): InvitationStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}
