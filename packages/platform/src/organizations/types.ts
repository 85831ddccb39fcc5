import type { Plan, Role } from '@probity/core';

/** An organization (specification, "Organization"). */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Unique, made from the name. */
  readonly slug: string;
  readonly description: string | null;
  readonly website: string | null;
  /** IANA zone name. */
  readonly timezone: string;
  readonly settings: OrganizationSettings;
  readonly plan: Plan;
  readonly createdAt: Date;
}

/** What members of an organization have agreed on. */
export interface OrganizationSettings {
  readonly ssoEnabled: boolean;
  readonly ssoProvider: string | null;
  /** CIDR blocks; empty means that every address is welcome. */
  readonly ipAllowlist: readonly string[];
  readonly dataResidency: string | null;
}

/** What an update changes; absent fields stay as they are. */
export interface OrganizationChanges {
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly ipAllowlist?: readonly string[] | undefined;
}

/** An organization with the counts that its views show. */
export interface OrganizationOverview extends Organization {
  /** Active and pending members. */
  readonly membersCount: number;
}

/** Where a member stands (contract, section 3). */
export type MemberStatus = 'pending_invite' | 'active' | 'suspended';

/** A person in an organization. */
export interface Member {
  readonly id: string;
  readonly organizationId: string;
  /** As written; unique within the organization without regard to case. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly status: MemberStatus;
  readonly mfaEnabled: boolean;
  readonly createdAt: Date;
  readonly lastLogin: Date | null;
}

/** A token that stands for somebody; only its hash is known. */
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
