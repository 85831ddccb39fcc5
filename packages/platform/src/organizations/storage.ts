import type { Page, PageOf, Storage } from '@probity/core';
import type { SubscriptionInserts } from '../billing/storage.ts';
import type { ScimTokenReads, ScimTokenWrites } from '../credentials/scim-token-storage.ts';
import type {
  ApiKey,
  ApiKeyIdentity,
  Member,
  Organization,
  OrganizationChanges,
  OrganizationOverview,
} from './types.ts';

/** Reads of the platform domain. */
export interface PlatformReads extends ScimTokenReads {
  /** Null when there is no such organization. */
  findOrganization(id: string): Promise<OrganizationOverview | null>;
  /** How many organizations there are. */
  countOrganizations(): Promise<number>;
  /** The ids of all organizations, in their order. */
  listOrganizationIds(): Promise<string[]>;
  /** Whether an organization has this slug. */
  isSlugTaken(slug: string): Promise<boolean>;
  /** The keys of an organization that are not revoked, oldest first, ties by id. */
  listApiKeys(organizationId: string, page: Page): Promise<PageOf<ApiKey>>;
  /** The key with this hash and what decides about it now; read at every request. */
  identifyApiKey(tokenHash: string): Promise<ApiKeyIdentity | null>;
  /** Null when the organization has no such member. */
  findMember(organizationId: string, id: string): Promise<Member | null>;
}

/** Changes of the platform domain. */
export interface PlatformWrites extends ScimTokenWrites, SubscriptionInserts {
  /**
   * Stores the organization and, unless it exists, its tenant of the same id.
   * @throws ProbityError `already_exists` when the slug is taken
   */
  insertOrganization(organization: Organization): Promise<void>;
  /** Changes the organization; does nothing when there is none. */
  updateOrganization(id: string, changes: OrganizationChanges): Promise<void>;
  /** @throws ProbityError `already_exists` when the organization has a member with this e-mail */
  insertMember(member: Member): Promise<void>;
  insertApiKey(key: ApiKey): Promise<void>;
  /** The revoked key; null when the organization has no such key, or it is revoked already. */
  revokeApiKey(organizationId: string, id: string, at: Date): Promise<ApiKey | null>;
  /** Moves `last_used` forward to these times; keys that do not exist any more are passed over. */
  touchApiKeys(lastUsed: ReadonlyMap<string, Date>): Promise<void>;
}

/** Storage of organizations, members, API keys and SCIM tokens. */
export type PlatformStorage = Storage<PlatformReads, PlatformWrites>;
