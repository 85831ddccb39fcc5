import type { Runtime, Storage, TransactionOf } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { RequestOrigin } from '@probity/core/internal';
import { DAY_MS, hashSecret, mailboxKey } from '@probity/core/internal';
import type { AccountReads, SignInFailureReads, SignInFailureWrites } from './storage.ts';
import type { Account, SignInFailures } from './types.ts';

/** The origin of a sign-in request, which is not authenticated. */
export type SignInCall = RequestOrigin;

/**
 * Counts failed sign-in attempts. Every failure counts for the e-mail, whether an account has it or
 * not, so that neither the count nor the lock reveals accounts. A success clears the count for its
 * own account only: somebody with an account of the same e-mail in another organization could
 * otherwise guess without a lock. The counts are in the database, so that all instances share them,
 * and are read after the proof has been checked: however many guesses run at once, only ten get an
 * answer that differs from a refusal.
 */
export interface Attempts {
  /**
   * The accounts that are not locked.
   * @param accounts the accounts that an attempt is about
   * @throws ProbityError `rate_limited` with Retry-After when all are locked or, without accounts,
   *   the e-mail is
   */
  requireUnlocked(email: string, accounts: readonly Account[]): Promise<Account[]>;
  /**
   * Counts a failure, in a separate transaction; the tenth locks, which is recorded in the audit
   * logs of the locked accounts.
   * @param accounts the accounts that the attempt was about
   * @param outside those whose password was right, from an address outside their organization's IP
   *   allowlist: only the audit log tells
   * @throws ProbityError `rate_limited` when one of them was locked, whose proof is not evaluated
   */
  fail(
    call: SignInCall,
    email: string,
    accounts: readonly Account[],
    outside?: readonly Account[],
  ): Promise<void>;
  /**
   * Clears the failures of the account, in the transaction of the success.
   * @throws ProbityError `rate_limited` when the account is locked
   */
  succeed(tx: FailureTx, account: Account): Promise<void>;
  /** Ends a lock of the account, for a caller who has proved in another way to own its e-mail. */
  unlock(tx: FailureTx, account: Account): Promise<void>;
}

type FailureStorage = Storage<AccountReads & SignInFailureReads, SignInFailureWrites>;
type FailureTx = SignInFailureReads & SignInFailureWrites;

/** Failures without a success between them until an account is locked (contract, section 9). */
const MAX_FAILURES = 10;
const LOCK_MS = 15 * 60_000;

/** Failures expire after this time without another failure, in milliseconds. */
export const FAILURE_MEMORY_MS = DAY_MS;

/** Creates the counter of failed attempts. */
export function createAttempts(
  { clock, audit }: Runtime,
  { storage }: { readonly storage: FailureStorage },
): Attempts {
  /** When the lock of each account ends or, without accounts, that of the e-mail; null for none. */
  async function lockEnds(
    reads: SignInFailureReads,
    email: string,
    accounts: readonly Account[],
  ): Promise<Array<Date | null>> {
    const counts =
      accounts.length === 0
        ? [await reads.findSignInFailures(subjectOf(email))]
        : await Promise.all(accounts.map((account) => failuresOf(reads, account)));
    const now = clock.now();
    return counts.map((failures) => (isLocked(failures, now) ? failures.lockedUntil : null));
  }

  function refuse(lockedUntil: Date): never {
    const seconds = Math.ceil((lockedUntil.getTime() - clock.now().getTime()) / 1_000);
    throw new ProbityError(
      'rate_limited',
      `Too many failed attempts with this e-mail address; try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  /** Counts the failure for the e-mail and its accounts; returns the accounts that it locks. */
  async function count(tx: TransactionOf<FailureStorage>, email: string): Promise<Account[]> {
    const now = clock.now();
    const shared = await tx.openSignInFailures(subjectOf(email), now);
    const sharedAfter = withFailure(shared, now);
    if (sharedAfter) await tx.storeSignInFailures(subjectOf(email), sharedAfter);
    const locked: Account[] = [];
    for (const account of await tx.findAccountsByEmail(email)) {
      const own = await tx.findSignInFailures(subjectOf(email, account));
      const ownAfter = own && withFailure(own, now);
      if (ownAfter) await tx.storeSignInFailures(subjectOf(email, account), ownAfter);
      if ((own ? ownAfter : sharedAfter)?.lockedUntil) locked.push(account);
    }
    return locked;
  }

  return {
    async requireUnlocked(email, accounts) {
      const ends = await lockEnds(storage, email, accounts);
      const lockedUntil = endOfAll(ends);
      if (lockedUntil) refuse(lockedUntil);
      return accounts.filter((_, index) => ends[index] === null);
    },
    async fail(call, email, accounts, outside = []) {
      const lockedUntil = await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.openSignInFailures(subjectOf(email), clock.now());
        const ends = await lockEnds(tx, email, accounts);
        const lockedBefore = ends.find((end) => end !== null) ?? null;
        if (endOfAll(ends)) return lockedBefore;
        const until = new Date(clock.now().getTime() + LOCK_MS);
        const locked = { failures: MAX_FAILURES, locked_until: until };
        const entries = [
          ...outside.map((account) => toEntry(account, 'refused', { reason: 'ip_allowlist' })),
          ...(await count(tx, email)).map((account) => toEntry(account, 'locked', locked)),
        ];
        // Ordered by organization, so that two transactions cannot deadlock.
        for (const { organizationId, action, target, after } of entries.toSorted(byOrganization)) {
          const by = { organizationId, system: 'sign-in', request: call };
          await audit.record(tx, by, action, target, { after });
        }
        return lockedBefore;
      });
      if (lockedUntil) refuse(lockedUntil);
    },
    async succeed(tx, account) {
      const { email } = account.member;
      if (!(await tx.findSignInFailures(subjectOf(email)))) return;
      // Its lock orders the success among the failures, which open the same row.
      await tx.openSignInFailures(subjectOf(email), clock.now());
      const lockedUntil = endOfAll(await lockEnds(tx, email, [account]));
      if (lockedUntil) refuse(lockedUntil);
      await tx.storeSignInFailures(subjectOf(email, account), noFailures(clock.now()));
    },
    async unlock(tx, account) {
      const { email } = account.member;
      await tx.openSignInFailures(subjectOf(email), clock.now());
      await tx.storeSignInFailures(subjectOf(email, account), noFailures(clock.now()));
    },
  };
}

/** What the audit log of an account's organization is told. */
function toEntry(
  { member }: Account,
  what: 'refused' | 'locked',
  after: Readonly<Record<string, unknown>>,
) {
  const { organizationId, id } = member;
  const action = `member.sign_in_${what}` as const;
  return { organizationId, action, target: { type: 'member', id }, after };
}

function byOrganization(
  left: { organizationId: string },
  right: { organizationId: string },
): number {
  return left.organizationId < right.organizationId ? -1 : 1;
}

/**
 * The failures that count for an account: its own count once it has signed in, which starts at
 * zero, and before that the count of the e-mail.
 */
async function failuresOf(
  reads: SignInFailureReads,
  account: Account,
): Promise<SignInFailures | null> {
  const { email } = account.member;
  const own = await reads.findSignInFailures(subjectOf(email, account));
  return own ?? reads.findSignInFailures(subjectOf(email));
}

/** The first end of these locks; null when one of them is no lock. */
function endOfAll(ends: ReadonlyArray<Date | null>): Date | null {
  return ends.reduce((first, end) => (first && end && end < first ? end : end && first));
}

function isLocked(
  failures: SignInFailures | null,
  now: Date,
): failures is SignInFailures & { readonly lockedUntil: Date } {
  return failures?.lockedUntil ? failures.lockedUntil > now : false;
}

/** The count with one more failure; null, for no change, while it is locked. */
function withFailure(before: SignInFailures, now: Date): SignInFailures | null {
  if (isLocked(before, now)) return null;
  const isOld = now.getTime() - before.lastFailedAt.getTime() >= FAILURE_MEMORY_MS;
  const failures = before.lockedUntil || isOld ? 1 : before.failures + 1;
  const isFull = failures >= MAX_FAILURES;
  const lockedUntil = isFull ? new Date(now.getTime() + LOCK_MS) : null;
  return { failures, lastFailedAt: now, lockedUntil };
}

/** The time is that of the last change, so that retention keeps the row as long as the e-mail's. */
function noFailures(lastFailedAt: Date): SignInFailures {
  return { failures: 0, lastFailedAt, lockedUntil: null };
}

/** The key of a count: of the e-mail or, with an account, of the e-mail in its organization. */
function subjectOf(email: string, account?: Account): string {
  const address = mailboxKey(email);
  return hashSecret(account ? `${address}\n${account.member.organizationId}` : address);
}
