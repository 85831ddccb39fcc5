import type { JobOutcome, LeasedJob, RetryProfile, Storage, Worker } from '@probity/core';
import { done } from '@probity/core';
import type { MailWorkerOptions } from '@probity/core/internal';
import { createMailWorker, exponentialDelays } from '@probity/core/internal';
import type { OrganizationReads } from '../organizations/storage.ts';
import { invitationMail } from './invitation-mail.ts';
import { invitationPurpose, MAIL_QUEUE } from './issue.ts';
import type { InvitationReads, InvitationWrites } from './storage.ts';
import type { Invitation } from './types.ts';
import { invitationStatus } from './types.ts';

/** Dependencies of the invitation mailer. */
export interface InvitationMailerOptions extends MailWorkerOptions {
  readonly storage: InvitationMailStorage;
}

type InvitationMailStorage = Storage<OrganizationReads & InvitationReads, InvitationWrites>;

/**
 * Delays from half a minute to an hour. The attempts outlast an invitation, whose end ends the job.
 */
const INVITATION_MAIL_RETRY: RetryProfile = {
  delaysMs: exponentialDelays(30_000, 3_600_000),
  maxAttempts: 250,
  jitter: 0.2,
};

/**
 * Creates the worker that mails invitations. Each token is mailed at least once, more than once
 * only if a process dies before it records the delivery; then the token is cleared. A failed mail
 * is retried, after half a minute to an hour, until the invitation ends.
 */
export function createInvitationMailer(options: InvitationMailerOptions): Worker {
  return createMailWorker(MAIL_QUEUE, options, INVITATION_MAIL_RETRY, (job) =>
    sendInvitation(job, options),
  );
}

async function sendInvitation(
  { payload }: LeasedJob,
  options: InvitationMailerOptions,
): Promise<JobOutcome> {
  const { storage, mailer, secretBox, baseUrl, clock } = options;
  const { organizationId = '', invitationId = '' } = payload;
  const invitation = await storage.findInvitation(organizationId, invitationId);
  if (!invitation?.sealedToken) return done();
  if (invitationStatus(invitation, clock.now()) !== 'pending') return forget(invitation, storage);
  const organization = await storage.findOrganization(organizationId);
  if (!organization) return done();
  const token = secretBox.open(invitation.sealedToken, invitationPurpose(invitation.id));
  try {
    await mailer.send(invitationMail(invitation, organization, token, baseUrl()));
  } catch (cause) {
    throw new Error(`The invitation ${invitation.id} could not be mailed`, { cause });
  }
  return forget(invitation, storage);
}

/** Ends the job and clears the sealed token. */
function forget(
  { organizationId, id, tokenHash }: Invitation,
  storage: InvitationMailStorage,
): JobOutcome {
  return done(({ session }) =>
    storage.transaction({ session }, (tx) =>
      tx.clearSealedInvitation(organizationId, id, tokenHash),
    ),
  );
}
