/** Tables of API keys and SCIM tokens; times are milliseconds since 1970. */
export interface CredentialTables {
  probity_api_keys: ApiKeyRow;
  probity_scim_tokens: TokenRow;
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
