import type { JobOutcome, LeasedJob, Mail, Random, Worker } from '@probity/core';
import { systemRandom } from '@probity/core';
import type { MailWorkerOptions } from '@probity/core/internal';
import { createMailWorker, toMailLine } from '@probity/core/internal';
import { issueReset, PASSWORD_RESET_QUEUE, resetPurpose } from './password-resets.ts';
import type { SignInStorage } from './storage.ts';
import type { Account, PasswordReset } from './types.ts';

/** What the mailer of password resets needs. */
export interface PasswordResetMailerOptions extends MailWorkerOptions {
  readonly signInStorage: SignInStorage;
  /** Default: the operating system's. */
  readonly random?: Random;
}

const RETRY_MS = 60_000;

/**
 * Creates the worker that looks for whom a forgotten password belongs to and mails the links. A mail
 * that fails is tried again every minute until its token expires; then the token is forgotten.
 */
export function createPasswordResetMailer(options: PasswordResetMailerOptions): Worker {
  return createMailWorker(PASSWORD_RESET_QUEUE, options, (job) =>
    job.payload.email === undefined
      ? sendReset(job, options)
      : issueResets(job.payload.email, options),
  );
}

async function issueResets(
  email: string,
  { random = systemRandom, ...options }: PasswordResetMailerOptions,
): Promise<JobOutcome> {
  const { signInStorage } = options;
  const accounts = await signInStorage.findAccountsByEmail(email);
  const active = accounts.filter(({ member }) => member.status === 'active');
  return {
    apply: ({ session }) =>
      signInStorage.transaction({ session }, async (tx) => {
        for (const account of active) {
          // A member that was removed since has no row to hang the reset on.
          const present = await tx.findAccount({
            organizationId: account.member.organizationId,
            memberId: account.member.id,
          });
          if (!present) continue;
          await tx.enqueueJobs(await issueReset(tx, present, { ...options, random }));
        }
      }),
  };
}

async function sendReset(
  { payload }: LeasedJob,
  options: PasswordResetMailerOptions,
): Promise<JobOutcome> {
  const { signInStorage, mailer, secretBox, baseUrl, clock, logger } = options;
  const { organizationId = '', memberId = '' } = payload;
  const key = { organizationId, memberId };
  const [reset, account] = [
    await signInStorage.findPasswordReset(key),
    await signInStorage.findAccount(key),
  ];
  if (!reset?.sealedToken || !account) return {};
  if (reset.expiresAt <= clock.now()) return forget(reset, signInStorage);
  const token = secretBox.open(reset.sealedToken, resetPurpose(memberId));
  try {
    await mailer.send(resetMail(reset, account, token, baseUrl()));
  } catch (error) {
    const retryAt = new Date(clock.now().getTime() + RETRY_MS);
    logger.warn('a password reset could not be mailed', {
      member_id: memberId,
      retry_at: retryAt,
      error,
    });
    return { retryAt };
  }
  return forget(reset, signInStorage);
}

/** Ends the job, and with it the life of the sealed token. */
function forget(reset: PasswordReset, storage: SignInStorage): JobOutcome {
  return {
    apply: ({ session }) =>
      storage.transaction({ session }, (tx) => tx.clearSealedReset(reset, reset.tokenHash)),
  };
}

/** Its link is `<base>/password/reset?token=<token>`; the token is what `POST /v1/auth/password/reset` takes. */
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
      `Somebody asked for a new password for your account at ${toMailLine(organization.name)} on Probity.`,
      '',
      'Set it here:',
      `${baseUrl}/password/reset?token=${token}`,
      '',
      'Or, without a browser, send this token to POST /v1/auth/password/reset:',
      token,
      '',
      `It works once, until ${until} UTC, and signs you out everywhere.`,
      'If you did not ask for it, you can ignore this mail: your password stays as it is.',
      '',
    ].join('\n'),
  };
}
