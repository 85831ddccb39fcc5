import type { Plan, Role } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { ApiKeyRow, TokenRow } from '../../credentials/sql/tables.ts';
import type { MemberRow } from '../../members/sql/tables.ts';
import type {
  ApiKey,
  ApiKeyIdentity,
  Member,
  MemberStatus,
  Organization,
  OrganizationOverview,
  StoredToken,
} from '../types.ts';
import type { OrganizationRow } from './tables.ts';

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

export function toOrganizationRow(organization: Organization): OrganizationRow {
  const { settings } = organization;
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    description: organization.description,
    website: organization.website,
    timezone: organization.timezone,
    sso_enabled: Number(settings.ssoEnabled),
    sso_provider: settings.ssoProvider,
    ip_allowlist: JSON.stringify(settings.ipAllowlist),
    data_residency: settings.dataResidency,
    plan: organization.plan,
    created_at: organization.createdAt.getTime(),
  };
}

export function toOrganizationOverview(
  row: OrganizationRow,
  membersCount: number,
): OrganizationOverview {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    website: row.website,
    timezone: row.timezone,
    settings: {
      ssoEnabled: row.sso_enabled === 1,
      ssoProvider: row.sso_provider,
      ipAllowlist: JSON.parse(row.ip_allowlist) as string[],
      dataResidency: row.data_residency,
    },
    plan: row.plan as Plan,
    createdAt: toDate(row.created_at),
    membersCount,
  };
}

export function toMemberRow(member: Member): MemberRow {
  return {
    id: member.id,
    organization_id: member.organizationId,
    email: member.email,
    email_key: member.email.toLowerCase(),
    name: member.name,
    role: member.role,
    status: member.status,
    mfa_enabled: Number(member.mfaEnabled),
    created_at: member.createdAt.getTime(),
    last_login: member.lastLogin?.getTime() ?? null,
  };
}

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    status: row.status as MemberStatus,
    mfaEnabled: row.mfa_enabled === 1,
    createdAt: toDate(row.created_at),
    lastLogin: toDateOrNull(row.last_login),
  };
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
