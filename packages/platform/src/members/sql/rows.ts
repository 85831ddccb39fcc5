import type { Role } from '@probity/core';
import { mailboxKey } from '@probity/core/internal';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { Invitation, Member, MemberStatus } from '../types.ts';
import type { InvitationRow, MemberRow } from './tables.ts';

export function toMemberRow(member: Member): MemberRow {
  return {
    id: member.id,
    organization_id: member.organizationId,
    email: member.email,
    email_key: mailboxKey(member.email),
    name: member.name,
    role: member.role,
    status: member.status,
    suspended_by_admin: member.suspendedAt.admin?.getTime() ?? null,
    suspended_by_scim: member.suspendedAt.scim?.getTime() ?? null,
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
    suspendedAt: {
      admin: toDateOrNull(row.suspended_by_admin),
      scim: toDateOrNull(row.suspended_by_scim),
    },
    mfaEnabled: row.mfa_enabled === 1,
    createdAt: toDate(row.created_at),
    lastLogin: toDateOrNull(row.last_login),
  };
}

export function toInvitationRow(invitation: Invitation): InvitationRow {
  return {
    id: invitation.id,
    organization_id: invitation.organizationId,
    member_id: invitation.memberId,
    email: invitation.email,
    role: invitation.role,
    token_hash: invitation.tokenHash,
    sealed_token: invitation.sealedToken,
    created_at: invitation.createdAt.getTime(),
    sent_at: invitation.sentAt.getTime(),
    expires_at: invitation.expiresAt.getTime(),
    accepted_at: invitation.acceptedAt?.getTime() ?? null,
    revoked_at: invitation.revokedAt?.getTime() ?? null,
  };
}

export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    email: row.email,
    role: row.role as Role,
    tokenHash: row.token_hash,
    sealedToken: row.sealed_token,
    createdAt: toDate(row.created_at),
    sentAt: toDate(row.sent_at),
    expiresAt: toDate(row.expires_at),
    acceptedAt: toDateOrNull(row.accepted_at),
    revokedAt: toDateOrNull(row.revoked_at),
  };
}
