/** Reads of tenants. */
export interface TenantReads {
  /** Whether a tenant with this id exists and was not removed. */
  hasTenant(id: string): Promise<boolean>;
  /** Up to `limit` ids after `after`, in order, without those of removed tenants. */
  listTenants(after: string, limit: number): Promise<string[]>;
  /**
   * Names of the tables of all packages with rows of tenants, each before those that its rows refer to:
   * in SQL every table of Probity with a column `organization_id`.
   */
  listTenantTables(): Promise<string[]>;
}

/** Writes of tenants. */
export interface TenantWrites {
  /**
   * Stores the tenant unless it exists. Concurrent callers all succeed; one row results.
   * @throws ProbityError `unavailable` while the rows of a removed tenant with this id are deleted
   */
  ensureTenant(id: string): Promise<void>;
  /**
   * Marks the tenant as removed, which takes no longer however many rows it has: from the commit on it
   * does not exist for `hasTenant`, `listTenants`, `lockTenant`, `ensureTenant` and `findEvent`. False, and no
   * change, when there is none.
   */
  markTenantRemoved(id: string, at: Date): Promise<boolean>;
  /** Whether a tenant is marked as removed; it stays so until the transaction ends. */
  lockRemovedTenant(id: string): Promise<boolean>;
  /** Deletes up to `limit` jobs of the tenant, failed or not, and returns their number. */
  deleteTenantJobs(id: string, limit: number): Promise<number>;
  /**
   * Deletes up to `limit` rows of the tenant and returns their number.
   * @param table one of `listTenantTables`
   */
  deleteTenantRows(table: string, id: string, limit: number): Promise<number>;
  /**
   * Deletes a tenant, marked or not, with the rows that it has at the time, all in this transaction. False
   * when there is no such tenant.
   */
  deleteTenant(id: string): Promise<boolean>;
}
