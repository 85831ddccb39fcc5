import type { Organization, OrganizationChanges, OrganizationOverview } from './types.ts';

/** Reads of organizations. */
export interface OrganizationReads {
  /** Null when the organization does not exist. */
  findOrganization(id: string): Promise<OrganizationOverview | null>;
  /** Number of organizations. */
  countOrganizations(): Promise<number>;
  /** The ids of all organizations, ascending. */
  listOrganizationIds(): Promise<string[]>;
  /** Whether an organization has this slug. */
  isSlugTaken(slug: string): Promise<boolean>;
}

/** Writes of organizations. */
export interface OrganizationWrites {
  /**
   * Stores the organization and, unless it exists, the tenant with the same id.
   * @throws ProbityError `already_exists` when the slug is taken
   */
  insertOrganization(organization: Organization): Promise<void>;
  /**
   * Frees the slug of an organization whose tenant is marked as removed, in a time that does not grow
   * with its members. From the commit on no read finds the organization, and none identifies a caller by its
   * keys, tokens, sessions or accounts. The worker of tenants' removals deletes its rows.
   */
  retireOrganization(id: string): Promise<void>;
  /** Updates the organization; no effect when it does not exist. */
  updateOrganization(id: string, changes: OrganizationChanges): Promise<void>;
}
