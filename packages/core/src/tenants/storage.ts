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
   * Deletes the tenant with all its data, in every package. Jobs stay; they find nothing to do.
   * False when there is no such tenant.
   */
  deleteTenant(id: string): Promise<boolean>;
}
