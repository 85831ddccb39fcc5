import type { ApiKeyTables } from '../../credentials/sql/tables.ts';
import type { MemberTables } from '../../members/sql/tables.ts';

/** The table of organizations; times are milliseconds since 1970. */
interface OrganizationTables {
  organizations: OrganizationRow;
}

/** The tables that authentication and the views of an organization read together. */
export type PlatformTables = OrganizationTables & Pick<MemberTables, 'members'> & ApiKeyTables;

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
