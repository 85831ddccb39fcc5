/** Tables of passwords, second factors and sessions; times are milliseconds since 1970. */
export interface SignInTables {
  probity_member_credentials: CredentialsRow;
  probity_recovery_codes: RecoveryCodeRow;
  probity_sessions: SessionRow;
  probity_sign_in_failures: FailuresRow;
  probity_password_resets: PasswordResetRow;
}

export interface CredentialsRow {
  member_id: string;
  organization_id: string;
  password_hash: string | null;
  sealed_mfa_secret: string | null;
  mfa_last_step: number | null;
}

interface RecoveryCodeRow {
  code_hash: string;
  member_id: string;
  organization_id: string;
}

export interface SessionRow {
  id: string;
  organization_id: string;
  member_id: string;
  family_hash: string;
  refresh_hash: string;
  previous_hash: string | null;
  created_at: number;
  last_used: number;
  expires_at: number;
  address: string | null;
  user_agent: string | null;
}

export interface FailuresRow {
  subject: string;
  failures: number;
  last_failed_at: number;
  locked_until: number | null;
}

export interface PasswordResetRow {
  member_id: string;
  organization_id: string;
  token_hash: string;
  sealed_token: string | null;
  created_at: number;
  expires_at: number;
}
