/** Tables of the kernel; times are milliseconds since 1970. */
export interface KernelTables {
  events: EventRow;
  jobs: JobRow;
}

export interface EventRow {
  id: string;
  organization_id: string;
  type: string;
  data: string;
  request_id: string | null;
  created_at: number;
}

export interface JobRow {
  id: string;
  queue: string;
  lane: string;
  payload: string;
  /** When the job is due, or the end of its lease while it has one. */
  due_at: number;
  lease_token: string | null;
}

/** Tables of the platform domain. */
export interface PlatformTables {
  organizations: OrganizationRow;
  members: MemberRow;
  api_keys: ApiKeyRow;
  scim_tokens: ScimTokenRow;
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

export interface MemberRow {
  id: string;
  organization_id: string;
  email: string;
  /** The e-mail in the form that is compared: lower case. */
  email_key: string;
  name: string | null;
  role: string;
  status: string;
  mfa_enabled: number;
  created_at: number;
  last_login: number | null;
}

export interface ApiKeyRow {
  id: string;
  organization_id: string;
  member_id: string;
  name: string;
  role: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  last_used: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface ScimTokenRow {
  id: string;
  organization_id: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}
