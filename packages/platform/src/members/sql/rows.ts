import type { Role } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import type { Invitation } from '../types.ts';
import type { InvitationRow } from './tables.ts';

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
