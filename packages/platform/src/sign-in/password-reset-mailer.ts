import type {
  JobOutcome,
  LeasedJob,
  Mail,
  NewJob,
  RetryProfile,
  Storage,
  Worker,
} from '@probity/core';
import { done, systemRandom } from '@probity/core';
import type { MailWorkerOptions } from '@probity/core/internal';
import { createMailWorker } from '@probity/core/internal';
import type { MailLimits } from '../mails/limits.ts';
import { createMailCounter, DEFAULT_MAIL_LIMITS } from '../mails/limits.ts';
import { toMailName } from '../mails/names.ts';
import type { MailCountWrites } from '../mails/storage.ts';
import { issueReset, PASSWORD_RESET_QUEUE, resetPurpose } from './password-resets.ts';
import type { AccountReads, PasswordResetReads, PasswordResetWrites } from './storage.ts';
import type { Account, PasswordReset } from './types.ts';

/** Dependencies of the password reset mailer. */
export interface PasswordResetMailerOptions extends MailWorkerOptions {
  readonly storage: ResetMailStorage;
  /** Default {@link DEFAULT_MAIL_LIMITS}. */
  readonly mailLimits?: MailLimits | undefined;
}

type ResetMailStorage = Storage<
  AccountReads & PasswordResetReads,
  PasswordResetWrites & MailCountWrites
>;

/** A delay of one minute. The attempts outlast a token, whose end ends the job. */
const PASSWORD_RESET_RETRY: RetryProfile = { delaysMs: [60_000], maxAttempts: 100 };

/**
 * Creates the worker that looks up the accounts of a forgotten password and mails the links. A
 * failed mail is retried every minute until its token expires; then the token is cleared.
 */
export function createPasswordResetMailer(options: PasswordResetMailerOptions): Worker {
  return createMailWorker(PASSWORD_RESET_QUEUE, options, PASSWORD_RESET_RETRY, (job) =>
    job.payload.email === undefined
      ? sendReset(job, options)
      : issueResets(job.payload.email, options),
  );
}

async function issueResets(
  email: string,
  { random = systemRandom, ...options }: PasswordResetMailerOptions,
): Promise<JobOutcome> {
  const { storage, clock, mailLimits = DEFAULT_MAIL_LIMITS } = options;
  const mails = createMailCounter(clock, mailLimits);
  const accounts = await storage.findAccountsByEmail(email);
  const active = accounts.filter(({ member }) => member.status === 'active');
  return done(({ session }) =>
    storage.transaction({ session }, async (tx) => {
      const jobs: NewJob[] = [];
      for (const account of active) {
        // The reset has a foreign key to the member, who may have been removed since.
        const current = await tx.findAccount({
          organizationId: account.member.organizationId,
          memberId: account.member.id,
        });
        if (current) jobs.push(...(await issueReset(tx, current, { ...options, random, mails })));
      }
      await tx.enqueueJobs(jobs);
    }),
  );
}

async function sendReset(
  { payload }: LeasedJob,
  options: PasswordResetMailerOptions,
): Promise<JobOutcome> {
  const { storage, mailer, secretBox, baseUrl, clock } = options;
  const { organizationId = '', memberId = '' } = payload;
  const key = { organizationId, memberId };
  const [reset, account] = [await storage.findPasswordReset(key), await storage.findAccount(key)];
  if (!reset?.sealedToken || !account) return done();
  if (reset.expiresAt <= clock.now()) return forget(reset, storage);
  const token = secretBox.open(reset.sealedToken, resetPurpose(memberId));
  try {
    await mailer.send(resetMail(reset, account, token, baseUrl()));
  } catch (cause) {
    throw new Error(`The password reset of ${memberId} could not be mailed`, { cause });
  }
  return forget(reset, storage);
}

/** Ends the job and clears the sealed token. */
function forget(reset: PasswordReset, storage: ResetMailStorage): JobOutcome {
  return done(({ session }) =>
    storage.transaction({ session }, (tx) => tx.clearSealedReset(reset, reset.tokenHash)),
  );
}

/**
 * Its link is `<base>/password/reset?token=<token>`, with the token for `POST
 * /v1/auth/password/reset`.
 */
function resetMail(
  { tokenHash, expiresAt }: PasswordReset,
  { member, organization }: Account,
  token: string,
  baseUrl: string,
): Mail {
  const until = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    id: `${member.id}.${tokenHash.slice(0, 12)}`,
    to: member.email,
    subject: 'Set a new password',
    text: [
      `A new password was requested for your account at ${toMailName(organization.name)} on Probity.`,
      '',
      'Set it here:',
      `${baseUrl}/password/reset?token=${token}`,
      '',
      'Or, without a browser, send this token to POST /v1/auth/password/reset:',
      token,
      '',
      `It works once, expires at ${until} UTC, and signs you out everywhere.`,
      'If you did not request it, you can ignore this mail: your password stays unchanged.',
      '',
    ].join('\n'),
  };
}
