/** Reads of tenants. */
export interface TenantReads {
  /** Whether there is a tenant with this id. */
  hasTenant(id: string): Promise<boolean>;
}

/** Changes of tenants. */
export interface TenantWrites {
  /** Stores the tenant unless it exists. Of parallel callers each succeeds; one row results. */
  ensureTenant(id: string): Promise<void>;
  /**
   * Deletes the tenant with everything that belongs to it, of every package. Jobs stay; they find
   * nothing to do. False when there is no such tenant.
   */
  deleteTenant(id: string): Promise<boolean>;
}
