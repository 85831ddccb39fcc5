import type { JobOutcome, LeasedJob, Worker } from '@probity/core';
import type { MailWorkerOptions } from '@probity/core/internal';
import { createMailWorker } from '@probity/core/internal';
import type { PlatformStorage } from '../organizations/storage.ts';
import { invitationMail } from './invitation-mail.ts';
import { invitationPurpose, MAIL_QUEUE } from './issue.ts';
import type { MemberStorage } from './storage.ts';
import type { Invitation } from './types.ts';
import { invitationStatus } from './types.ts';

/** What the mailer of invitations needs. */
export interface InvitationMailerOptions extends MailWorkerOptions {
  readonly storage: MemberStorage;
  readonly platformStorage: PlatformStorage;
}

const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 3_600_000;

/**
 * Creates the worker that mails invitations. Each token is mailed once, or more than once where a
 * process died before it could store that it was; then it is forgotten. A mail that fails is tried
 * again at twice its age, after half a minute to an hour, until the invitation ends.
 */
export function createInvitationMailer(options: InvitationMailerOptions): Worker {
  return createMailWorker(MAIL_QUEUE, options, (job) => sendInvitation(job, options));
}

async function sendInvitation(
  { payload }: LeasedJob,
  options: InvitationMailerOptions,
): Promise<JobOutcome> {
  const { storage, platformStorage, mailer, secretBox, baseUrl, clock, logger } = options;
  const { organizationId = '', invitationId = '' } = payload;
  const invitation = await storage.findInvitation(organizationId, invitationId);
  if (!invitation?.sealedToken) return {};
  if (invitationStatus(invitation, clock.now()) !== 'pending') return forget(invitation, storage);
  const organization = await platformStorage.findOrganization(organizationId);
  if (!organization) return {};
  const token = secretBox.open(invitation.sealedToken, invitationPurpose(invitation.id));
  try {
    await mailer.send(invitationMail(invitation, organization, token, baseUrl()));
  } catch (error) {
    const retryAt = nextAttemptAt(invitation.sentAt, clock.now());
    logger.warn('an invitation could not be mailed', {
      invitation_id: invitation.id,
      retry_at: retryAt,
      error,
    });
    return { retryAt };
  }
  return forget(invitation, storage);
}

/** Ends the job, and with it the life of the sealed token. */
function forget({ organizationId, id, tokenHash }: Invitation, storage: MemberStorage): JobOutcome {
  return {
    apply: ({ session }) =>
      storage.transaction({ session }, (tx) => tx.clearSealedToken(organizationId, id, tokenHash)),
  };
}

function nextAttemptAt(firstAt: Date, now: Date): Date {
  const ageMs = now.getTime() - firstAt.getTime();
  return new Date(now.getTime() + Math.min(Math.max(ageMs, MIN_RETRY_MS), MAX_RETRY_MS));
}
