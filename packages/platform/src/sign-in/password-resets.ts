import type { NewJob, Runtime, SecretBox } from '@probity/core';
import { notFound, OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { hashSecret, isWellFormedToken, mintToken } from '@probity/core/internal';
import type { MailCounter } from '../mails/limits.ts';
import type { MailCountWrites } from '../mails/storage.ts';
import type { SignInCall } from './attempts.ts';
import type { SignInDependencies } from './login.ts';
import { keyOf } from './login.ts';
import { requireGoodPassword } from './password-rules.ts';
import { replacePassword } from './replace-password.ts';
import type { AccountReads, PasswordResetReads, PasswordResetWrites } from './storage.ts';
import type { Account, MemberKey, PasswordReset } from './types.ts';

/** The queue of password resets: requests, and mails to send. */
export const PASSWORD_RESET_QUEUE = 'password_reset';

/** Lifetime of a mailed reset token in milliseconds. */
export const PASSWORD_RESET_LIFETIME_MS = 3_600_000;

/** Minimum time between reset mails to one member in milliseconds, against mailbox flooding. */
const MAIL_INTERVAL_MS = 60_000;

/** Resets of forgotten passwords. */
export interface PasswordResets {
  /**
   * Mails a link to every active member with this e-mail, in the background: the response is the
   * same, and as fast, whether there is one or not.
   */
  request(email: string): Promise<void>;
  /**
   * Sets the password of the token's member, and ends its sessions and locks.
   * @throws ProbityError `not_found` for a token that is unknown or was used, `conflict` for one
   *   that has expired or whose member is not active, `validation_failed` that names `password`,
   *   `forbidden` from outside the organization's IP allowlist
   */
  reset(call: SignInCall, token: string, password: string): Promise<void>;
}

/** The purpose that a reset's token is sealed for, see `SecretBox`. */
export function resetPurpose(memberId: string): string {
  return `password_reset:${memberId}`;
}

/** Creates the password reset service. */
export function createPasswordResets(dependencies: SignInDependencies): PasswordResets {
  const { runtime, storage, passwords, attempts, allowlists } = dependencies;
  const { ids, clock, audit } = runtime;

  async function requireAccountOf(
    reads: AccountReads & PasswordResetReads,
    call: SignInCall,
    tokenHash: string,
  ): Promise<Account> {
    const reset = await reads.findPasswordResetByToken(tokenHash);
    const account = reset && (await reads.findAccount(reset));
    if (!account) throw notFound('password reset');
    allowlists.require(account.ipAllowlist, call.address);
    if (reset.expiresAt <= clock.now()) throw ended('The password reset has expired.');
    if (account.member.status !== 'active') throw ended('The member is not active.');
    return account;
  }

  return {
    async request(email) {
      const dueAt = clock.now();
      const id = ids.next('job');
      const payload = { email };
      const lane = { queue: PASSWORD_RESET_QUEUE, tenantId: null, group: 'requests' };
      const job = { id, ...lane, payload, dueAt };
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.enqueueJobs([job]));
    },

    async reset(call, token, password) {
      if (!isWellFormedToken('prs_', token)) throw notFound('password reset');
      const tokenHash = hashSecret(token);
      const { member } = await requireAccountOf(storage, call, tokenHash);
      requireGoodPassword(password, member.email);
      const passwordHash = await passwords.hash(password, call.address);
      await storage.withTenantLock(OUTSIDE_REQUEST, member.organizationId, async (tx) => {
        const account = await requireAccountOf(tx, call, tokenHash);
        const key = keyOf(account);
        if (!(await tx.takePasswordReset(tokenHash))) throw notFound('password reset');
        await replacePassword(tx, account, passwordHash);
        await attempts.unlock(tx, account);
        const by = { ...key, credentialId: null, request: call };
        const after = { ended_sessions: await tx.deleteSessionsOf(key) };
        await audit.record(
          tx,
          by,
          'password.reset',
          { type: 'member', id: key.memberId },
          { after },
        );
      });
    },
  };
}

/** Dependencies for issuing a reset. */
type ResetIssuer = Pick<Runtime, 'ids' | 'clock' | 'random'> & {
  readonly secretBox: SecretBox;
  readonly mails: MailCounter;
};

/**
 * Issues a reset to a member in the transaction, replacing a former one, unless that one is younger
 * than a minute or the limit of mails is reached; returns the job that mails it.
 */
export async function issueReset(
  tx: PasswordResetReads & PasswordResetWrites & MailCountWrites,
  account: Account,
  { secretBox, random, ids, clock, mails }: ResetIssuer,
): Promise<NewJob[]> {
  const key = keyOf(account);
  const createdAt = clock.now();
  const former = await tx.findPasswordReset(key);
  if (former && wasMailed(former) && isWithin(former.createdAt, createdAt, MAIL_INTERVAL_MS)) {
    return [];
  }
  if (!(await mails.allowsReset(tx, account.member.email))) return [];
  const token = mintToken('prs_', random);
  const reset: PasswordReset = {
    ...key,
    tokenHash: hashSecret(token),
    sealedToken: secretBox.seal(token, resetPurpose(key.memberId)),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + PASSWORD_RESET_LIFETIME_MS),
  };
  await tx.putPasswordReset(reset);
  const { organizationId } = key;
  const lane = {
    queue: PASSWORD_RESET_QUEUE,
    tenantId: organizationId,
    group: organizationId,
  };
  return [{ id: ids.next('job'), ...lane, payload: { ...key }, dueAt: createdAt }];
}

/** Ends the mailed reset of a member, whose token is in a mailbox that may be no longer the member's. */
export async function endMailedReset(
  tx: PasswordResetReads & PasswordResetWrites,
  key: MemberKey,
): Promise<void> {
  const reset = await tx.findPasswordReset(key);
  if (reset && wasMailed(reset)) await tx.takePasswordReset(reset.tokenHash);
}

/** Whether the reset was issued here; the set-up token of a new organization lasts longer. */
function wasMailed({ createdAt, expiresAt }: PasswordReset): boolean {
  return isWithin(createdAt, expiresAt, PASSWORD_RESET_LIFETIME_MS + 1);
}

function isWithin(from: Date, to: Date, ms: number): boolean {
  return to.getTime() - from.getTime() < ms;
}

function ended(message: string): ProbityError {
  return new ProbityError('conflict', message);
}
