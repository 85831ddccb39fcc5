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
  scim_tokens: TokenRow;
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

export interface ApiKeyRow extends TokenRow {
  member_id: string;
  name: string;
  role: string;
}

export interface TokenRow {
  id: string;
  organization_id: string;
  prefix: string;
  token_hash: string;
  created_at: number;
  last_used: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

/** The table of the state of maintenance, which has one row once maintenance has been. */
export interface MaintenanceTables {
  maintenance: MaintenanceRow;
}

interface MaintenanceRow {
  id: string;
  active: number;
  began_at: number;
}

/** Tables of the audit log. */
export interface AuditTables {
  audit_entries: AuditEntryRow;
  audit_heads: AuditHeadRow;
  audit_checkpoints: AuditHeadRow;
}

export interface AuditEntryRow {
  id: string;
  organization_id: string;
  sequence: number;
  action: string;
  actor_type: string;
  actor_id: string;
  credential_id: string | null;
  target_type: string;
  target_id: string;
  before: string | null;
  after: string | null;
  address: string | null;
  request_id: string | null;
  previous_hash: string;
  hash: string;
  created_at: number;
}

/** The last entry of a chain, or the last that retention removed. */
export interface AuditHeadRow {
  organization_id: string;
  sequence: number;
  hash: string;
}

/** Tables of answers to requests with an Idempotency-Key. */
export interface IdempotencyTables {
  idempotency_records: IdempotencyRow;
}

export interface IdempotencyRow {
  scope: string;
  fingerprint: string;
  sealed_reply: string;
  created_at: number;
}

/** Tables of the keys that secrets are sealed under. */
export interface SealingKeyTables {
  sealing_keys: SealingKeyRow;
}

export interface SealingKeyRow {
  id: string;
  first_used_at: number;
  retired_at: number | null;
}
