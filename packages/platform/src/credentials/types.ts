import type { Plan, Role } from '@probity/core';
import type { MemberStatus } from '../members/types.ts';

/** A token that is stored only as a hash. */
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
  /** The member who created the key; the key's rights never exceed the member's. */
  readonly memberId: string;
  readonly name: string;
  readonly role: Role;
}

/** A SCIM token. */
export type ScimToken = StoredToken;

/** The SCIM token with a given hash and its present authorization state. */
export interface ScimTokenIdentity {
  readonly tokenId: string;
  readonly organizationId: string;
  readonly plan: Plan;
  /** As in {@link ApiKeyIdentity}. */
  readonly ipAllowlist: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The API key with a given hash and its present authorization state. */
export interface ApiKeyIdentity {
  readonly keyId: string;
  readonly organizationId: string;
  readonly memberId: string;
  readonly keyRole: Role;
  readonly memberRole: Role;
  readonly memberStatus: MemberStatus;
  readonly plan: Plan;
  /**
   * The organization's `settings.ip_allowlist` as JSON text, the key that parsed lists are cached
   * by.
   */
  readonly ipAllowlist: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}
