import type { Plan, Role } from '@probity/core';
import type { MemberStatus } from '../members/types.ts';

/** A token of which only the hash is stored. */
export interface StoredToken {
  readonly id: string;
  readonly organizationId: string;
  /** The token's first 12 characters. */
  readonly prefix: string;
  readonly tokenHash: string;
  readonly createdAt: Date;
  readonly lastUsed: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** An API key. */
export interface ApiKey extends StoredToken {
  /** The member who made the key and whose rights bound it. */
  readonly memberId: string;
  readonly name: string;
  readonly role: Role;
}

/** A SCIM token. */
export type ScimToken = StoredToken;

/** What a SCIM token's hash leads to, with what decides about it now. */
export interface ScimTokenIdentity {
  readonly tokenId: string;
  readonly organizationId: string;
  readonly plan: Plan;
  /** As in {@link ApiKeyIdentity}. */
  readonly ipAllowlist: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What a token's hash leads to: the key, with what decides about it now. */
export interface ApiKeyIdentity {
  readonly keyId: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly keyRole: Role;
  readonly memberRole: Role;
  readonly memberStatus: MemberStatus;
  readonly plan: Plan;
  /** The organization's `settings.ip_allowlist` as JSON text, as it is cached by. */
  readonly ipAllowlist: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}
