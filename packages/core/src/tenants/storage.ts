/** How many jobs of a deleted tenant one transaction removes. */
export const JOBS_PER_BATCH = 500;

/** Reads of tenants. */
export interface TenantReads {
  /** Whether a tenant with this id exists. */
  hasTenant(id: string): Promise<boolean>;
  /** Up to `limit` ids after `after`, in order. */
  listTenants(after: string, limit: number): Promise<string[]>;
}

/** Writes of tenants. */
export interface TenantWrites {
  /** Stores the tenant unless it exists. Concurrent callers all succeed; one row results. */
  ensureTenant(id: string): Promise<void>;
  /**
   * Deletes the tenant with all its data, in every package, and its first 500 jobs; the others are for
   * `removeTenantJobs` after the commit. False when there is no such tenant.
   */
  deleteTenant(id: string): Promise<boolean>;
  /** Deletes up to `limit` jobs of the tenant, failed or not, and returns their number. */
  deleteTenantJobs(id: string, limit: number): Promise<number>;
}
