import type { Organization, OrganizationChanges, OrganizationOverview } from './types.ts';

/** Reads of organizations. */
export interface OrganizationReads {
  /** Null when there is no such organization. */
  findOrganization(id: string): Promise<OrganizationOverview | null>;
  /** How many organizations there are. */
  countOrganizations(): Promise<number>;
  /** The ids of all organizations, in their order. */
  listOrganizationIds(): Promise<string[]>;
  /** Whether an organization has this slug. */
  isSlugTaken(slug: string): Promise<boolean>;
}

/** Changes of organizations. */
export interface OrganizationWrites {
  /**
   * Stores the organization and, unless it exists, its tenant of the same id.
   * @throws ProbityError `already_exists` when the slug is taken
   */
  insertOrganization(organization: Organization): Promise<void>;
  /** Changes the organization; does nothing when there is none. */
  updateOrganization(id: string, changes: OrganizationChanges): Promise<void>;
}
