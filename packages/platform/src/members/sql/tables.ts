/** The table of members; times are milliseconds since 1970. */
export interface MemberTables {
  probity_members: MemberRow;
}

/** The table of invitations. */
export interface InvitationTables {
  probity_invitations: InvitationRow;
}

export interface InvitationRow {
  id: string;
  organization_id: string;
  /** No foreign key: the invitation outlives its member. */
  member_id: string;
  email: string;
  role: string;
  token_hash: string;
  sealed_token: string | null;
  created_at: number;
  sent_at: number;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
}

export interface MemberRow {
  id: string;
  organization_id: string;
  email: string;
  /** The e-mail in lower case, for comparison. */
  email_key: string;
  name: string | null;
  role: string;
  status: string;
  suspended_by_admin: number | null;
  suspended_by_scim: number | null;
  mfa_enabled: number;
  created_at: number;
  last_login: number | null;
}
