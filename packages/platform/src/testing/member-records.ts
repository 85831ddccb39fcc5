import { randomBytes } from 'node:crypto';
import { createIds } from '@probity/core';
import { at, START } from '@probity/core/testing';
import type { Invitation, InvitationToken, Member } from '../members/types.ts';

const ids = createIds();

/** A stored invitation token with a unique hash. */
export function newInvitationToken(given: Partial<InvitationToken> = {}): InvitationToken {
  return {
    tokenHash: randomBytes(32).toString('hex'),
    sealedToken: 'v1.00000000.sealed',
    sentAt: START,
    expiresAt: at(1_000),
    ...given,
  };
}

/** An open invitation of the member. */
export function newInvitation(member: Member, given: Partial<Invitation> = {}): Invitation {
  return {
    id: ids.next('inv'),
    organizationId: member.organizationId,
    memberId: member.id,
    email: member.email,
    role: member.role,
    ...newInvitationToken(),
    createdAt: START,
    acceptedAt: null,
    revokedAt: null,
    ...given,
  };
}
