import type { Plan, Role } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import { toMember } from '../../members/sql/rows.ts';
import type { MemberRow } from '../../members/sql/tables.ts';
import type { MemberStatus } from '../../members/types.ts';
import type {
  Account,
  PasswordReset,
  SessionIdentity,
  SignInFailures,
  SignInSession,
} from '../types.ts';
import type { FailuresRow, PasswordResetRow, SessionRow } from './tables.ts';

/** A member with its organization and credentials. */
export interface AccountRow extends MemberRow {
  organization_name: string;
  organization_slug: string;
  ip_allowlist: string;
  password_hash: string | null;
  sealed_mfa_secret: string | null;
}

/** The joined row that authentication reads. */
export interface SessionIdentityRow {
  id: string;
  family_hash: string;
  organization_id: string;
  member_id: string;
  expires_at: number;
  role: string;
  status: string;
  plan: string;
  ip_allowlist: string;
}

export function toAccount(row: AccountRow): Account {
  const { organization_name: name, organization_slug: slug } = row;
  return {
    member: toMember(row),
    organization: { id: row.organization_id, name, slug },
    ipAllowlist: row.ip_allowlist,
    passwordHash: row.password_hash,
    sealedMfaSecret: row.sealed_mfa_secret,
  };
}

export function toSessionIdentity(row: SessionIdentityRow): SessionIdentity {
  return {
    sessionId: row.id,
    familyHash: row.family_hash,
    organizationId: row.organization_id,
    memberId: row.member_id,
    memberRole: row.role as Role,
    memberStatus: row.status as MemberStatus,
    plan: row.plan as Plan,
    ipAllowlist: row.ip_allowlist,
    expiresAt: toDate(row.expires_at),
  };
}

export function toSessionRow(session: SignInSession): SessionRow {
  return {
    id: session.id,
    organization_id: session.organizationId,
    member_id: session.memberId,
    family_hash: session.familyHash,
    refresh_hash: session.refreshHash,
    previous_hash: session.previousHash,
    created_at: session.createdAt.getTime(),
    last_used: session.lastUsed.getTime(),
    expires_at: session.expiresAt.getTime(),
    address: session.address,
    user_agent: session.userAgent,
  };
}

export function toSession(row: SessionRow): SignInSession {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    familyHash: row.family_hash,
    refreshHash: row.refresh_hash,
    previousHash: row.previous_hash,
    createdAt: toDate(row.created_at),
    lastUsed: toDate(row.last_used),
    expiresAt: toDate(row.expires_at),
    address: row.address,
    userAgent: row.user_agent,
  };
}

export function toFailures(row: FailuresRow): SignInFailures {
  return {
    failures: row.failures,
    lastFailedAt: toDate(row.last_failed_at),
    lockedUntil: toDateOrNull(row.locked_until),
  };
}

export function toFailuresRow(subject: string, failures: SignInFailures): FailuresRow {
  return {
    subject,
    failures: failures.failures,
    last_failed_at: failures.lastFailedAt.getTime(),
    locked_until: failures.lockedUntil?.getTime() ?? null,
  };
}

export function toPasswordReset(row: PasswordResetRow): PasswordReset {
  return {
    memberId: row.member_id,
    organizationId: row.organization_id,
    tokenHash: row.token_hash,
    sealedToken: row.sealed_token,
    createdAt: toDate(row.created_at),
    expiresAt: toDate(row.expires_at),
  };
}

export function toPasswordResetRow(reset: PasswordReset): PasswordResetRow {
  return {
    member_id: reset.memberId,
    organization_id: reset.organizationId,
    token_hash: reset.tokenHash,
    sealed_token: reset.sealedToken,
    created_at: reset.createdAt.getTime(),
    expires_at: reset.expiresAt.getTime(),
  };
}
