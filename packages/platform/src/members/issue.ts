import type { NewJob, Random, SealedValues, SecretBox, Storage } from '@probity/core';
import { createSealedValues, hashSecret, mintToken } from '@probity/core/internal';
import type { InvitationReads, InvitationWrites } from './storage.ts';
import type { Invitation, InvitationToken } from './types.ts';
import { INVITATION_LIFETIME_MS } from './types.ts';

/** The queue of mails to send. */
export const MAIL_QUEUE = 'mail.send';

/** The purpose that an invitation's token is sealed for, see {@link SecretBox}. */
export function invitationPurpose(invitationId: string): string {
  return `invitation:${invitationId}`;
}

/** The sealed tokens of invitations, for key rotation. */
export function sealedInvitationTokens(
  storage: Storage<InvitationReads, InvitationWrites>,
): SealedValues {
  return createSealedValues(storage, {
    name: 'invitation_tokens',
    purposeOf: invitationPurpose,
    list: storage.listSealedInvitations,
    replaceOne: (tx, value) => tx.replaceSealedInvitation(value),
  });
}

/** Generates and seals a token for an invitation; the plain token is readable only when mailed. */
export function issueInvitationToken(
  { random, secretBox }: { random: Random; secretBox: SecretBox },
  invitationId: string,
  now: Date,
): InvitationToken {
  const token = mintToken('pin_', random);
  return {
    tokenHash: hashSecret(token),
    sealedToken: secretBox.seal(token, invitationPurpose(invitationId)),
    sentAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
  };
}

/** The job that mails the invitation's current token; mails of one organization share a group. */
export function invitationMailJob(
  id: string,
  invitation: Pick<Invitation, 'id' | 'organizationId' | 'sentAt'>,
): NewJob {
  const { organizationId } = invitation;
  return {
    id,
    queue: MAIL_QUEUE,
    tenantId: organizationId,
    group: organizationId,
    payload: { organizationId, invitationId: invitation.id },
    dueAt: invitation.sentAt,
  };
}
