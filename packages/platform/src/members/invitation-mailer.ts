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

/** What the mailer of invitations needs. */
export interface InvitationMailerOptions extends MailWorkerOptions {
  readonly storage: InvitationMailStorage;
}

type InvitationMailStorage = Storage<OrganizationReads & InvitationReads, InvitationWrites>;

/** Waits of half a minute to an hour; the attempts outlast an invitation, whose end ends the job. */
const INVITATION_MAIL_RETRY: RetryProfile = {
  delaysMs: exponentialDelays(30_000, 3_600_000),
  maxAttempts: 250,
  jitter: 0.2,
};

/**
 * Creates the worker that mails invitations. Each token is mailed once, or more than once where a
 * process died before it could store that it was; then it is forgotten. A mail that fails is tried
 * again, after half a minute to an hour, until the invitation ends.
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

/** Ends the job, and with it the life of the sealed token. */
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
