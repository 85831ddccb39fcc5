/** The tables of organizations and of the tenants that they are; times are milliseconds since 1970. */
export interface OrganizationTables {
  probity_organizations: OrganizationRow;
  /** An organization whose tenant is removed does not exist, though its rows are deleted later. */
  probity_tenants: { id: string; removed_at: number | null };
}

export interface OrganizationRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  website: string | null;
  timezone: string;
  sso_enabled: number;
  sso_provider: string | null;
  ip_allowlist: string;
  data_residency: string | null;
  plan: string;
  created_at: number;
}
