import type { Plan, Role } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { MemberStatus } from '../../members/types.ts';
import type { ApiKey, ApiKeyIdentity, StoredToken } from '../types.ts';
import type { ApiKeyRow, TokenRow } from './tables.ts';

/** The joined row that authentication reads. */
export interface ApiKeyIdentityRow {
  key_id: string;
  organization_id: string;
  member_id: string;
  key_role: string;
  member_role: string;
  member_status: string;
  plan: string;
  ip_allowlist: string;
  expires_at: number | null;
  revoked_at: number | null;
}

export function toApiKeyRow(key: ApiKey): ApiKeyRow {
  const { memberId, name, role } = key;
  return { ...toTokenRow(key), member_id: memberId, name, role };
}

export function toApiKey(row: ApiKeyRow): ApiKey {
  const { member_id: memberId, name, role } = row;
  return { ...toStoredToken(row), memberId, name, role: role as Role };
}

export function toApiKeyIdentity(row: ApiKeyIdentityRow): ApiKeyIdentity {
  return {
    keyId: row.key_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    keyRole: row.key_role as Role,
    memberRole: row.member_role as Role,
    memberStatus: row.member_status as MemberStatus,
    plan: row.plan as Plan,
    ipAllowlist: row.ip_allowlist,
    expiresAt: toDateOrNull(row.expires_at),
    revokedAt: toDateOrNull(row.revoked_at),
  };
}

export function toTokenRow(token: StoredToken): TokenRow {
  return {
    id: token.id,
    organization_id: token.organizationId,
    prefix: token.prefix,
    token_hash: token.tokenHash,
    created_at: token.createdAt.getTime(),
    last_used: token.lastUsed?.getTime() ?? null,
    expires_at: token.expiresAt?.getTime() ?? null,
    revoked_at: token.revokedAt?.getTime() ?? null,
  };
}

export function toStoredToken(row: TokenRow): StoredToken {
  return {
    id: row.id,
    organizationId: row.organization_id,
    prefix: row.prefix,
    tokenHash: row.token_hash,
    createdAt: toDate(row.created_at),
    lastUsed: toDateOrNull(row.last_used),
    expiresAt: toDateOrNull(row.expires_at),
    revokedAt: toDateOrNull(row.revoked_at),
  };
}
