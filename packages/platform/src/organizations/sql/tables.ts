/** The table of organizations; times are milliseconds since 1970. */
export interface OrganizationTables {
  probity_organizations: OrganizationRow;
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
