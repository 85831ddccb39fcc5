import type { Plan, Role } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { Member, MemberStatus } from '../members/types.ts';
import type { Organization } from '../organizations/types.ts';

/** How long an access token is good (contract, section 9). */
export const ACCESS_TOKEN_SECONDS = 900;

/** How long a session lasts from the sign-in on, however often its tokens are renewed (contract, section 9). */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** A person's sign-in from one browser or program. */
export interface SignInSession {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string;
  /** SHA-256 of the part that all refresh tokens of the session have in common. */
  readonly familyHash: string;
  /** SHA-256 of the refresh token that is good now. */
  readonly refreshHash: string;
  /** SHA-256 of the one before; null until the first renewal. */
  readonly previousHash: string | null;
  readonly createdAt: Date;
  /** When the tokens were issued last; to the quarter of an hour when the session was used. */
  readonly lastUsed: Date;
  readonly expiresAt: Date;
  /** Where the person signed in from. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** What an access token's session leads to, with what decides about it now. */
export interface SessionIdentity {
  readonly sessionId: string;
  readonly familyHash: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly memberRole: Role;
  readonly memberStatus: MemberStatus;
  readonly plan: Plan;
  /** As in `ApiKeyIdentity`. */
  readonly ipAllowlist: string;
  readonly expiresAt: Date;
}

/** A member with what it signs in with. */
export interface Account {
  readonly member: Member;
  readonly organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The organization's IP allowlist as JSON text. */
  readonly ipAllowlist: string;
  /** Null for a member that has never set one. */
  readonly passwordHash: string | null;
  /** The secret of one-time passwords, sealed; in force once `member.mfaEnabled`. */
  readonly sealedMfaSecret: string | null;
}

/** Names a member. */
export interface MemberKey {
  readonly organizationId: string;
  readonly memberId: string;
}

/** Failures to sign in under one e-mail, since the last success. */
export interface SignInFailures {
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lockedUntil: Date | null;
}

/** A request to set a password that was forgotten; a member has one at most. */
export interface PasswordReset extends MemberKey {
  /** SHA-256 of the token. */
  readonly tokenHash: string;
  /** The token, sealed, until it was mailed. */
  readonly sealedToken: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
