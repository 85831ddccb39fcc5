import type { Plan, Role } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { Member, MemberStatus } from '../members/types.ts';
import type { Organization } from '../organizations/types.ts';

/** Lifetime of an access token (contract, section 9). */
export const ACCESS_TOKEN_SECONDS = 900;

/** Lifetime of a session from the sign-in, regardless of renewals (contract, section 9). */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** A person's sign-in from one browser or program. */
export interface SignInSession {
  readonly id: string;
  readonly organizationId: string;
  readonly memberId: string;
  /** SHA-256 of the part that all refresh tokens of the session share. */
  readonly familyHash: string;
  /** SHA-256 of the current refresh token. */
  readonly refreshHash: string;
  /** SHA-256 of the previous refresh token; null until the first renewal. */
  readonly previousHash: string | null;
  readonly createdAt: Date;
  /** When tokens were last issued: the last use of the session, accurate to 15 minutes. */
  readonly lastUsed: Date;
  readonly expiresAt: Date;
  /** The IP address that the person signed in from. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** A session with its present authorization state. */
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

/** A member with its credentials. */
export interface Account {
  readonly member: Member;
  readonly organization: Pick<Organization, 'id' | 'name' | 'slug'>;
  /** The organization's IP allowlist as JSON text. */
  readonly ipAllowlist: string;
  /** Null for a member that has never set a password. */
  readonly passwordHash: string | null;
  /** The sealed TOTP secret; in force once `member.mfaEnabled`. */
  readonly sealedMfaSecret: string | null;
}

/** Identifies a member. */
export interface MemberKey {
  readonly organizationId: string;
  readonly memberId: string;
}

/** Sign-in failures for one e-mail since the last success. */
export interface SignInFailures {
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lockedUntil: Date | null;
}

/** A password reset; a member has at most one. */
export interface PasswordReset extends MemberKey {
  /** SHA-256 of the token. */
  readonly tokenHash: string;
  /** The sealed token; null once it has been mailed. */
  readonly sealedToken: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
