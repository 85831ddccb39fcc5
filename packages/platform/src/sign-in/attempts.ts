import type { Runtime, Storage } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { RequestOrigin } from '@probity/core/internal';
import { DAY_MS, hashSecret } from '@probity/core/internal';
import type { SignInFailureReads, SignInFailureWrites } from './storage.ts';
import type { Account, SignInFailures } from './types.ts';

/** The origin of a sign-in request, which is not authenticated. */
export type SignInCall = RequestOrigin;

/**
 * Counts failed sign-in attempts. They are counted by e-mail, whether an account has it or not, so
 * that neither the count nor the lock reveals accounts; and in the database, so that all instances
 * share the count. The count is read after the proof has been checked: however many guesses run at
 * once, only ten get an answer that differs from a refusal.
 */
export interface Attempts {
  /** @throws ProbityError `rate_limited` with Retry-After while the e-mail is locked */
  requireUnlocked(email: string): Promise<void>;
  /**
   * Counts a failure, in a separate transaction; the tenth locks the e-mail, which is recorded in
   * the audit logs of `accounts`.
   * @throws ProbityError `rate_limited` when concurrent failures have locked the e-mail
   */
  fail(call: SignInCall, email: string, accounts: readonly Account[]): Promise<void>;
  /**
   * Clears the failures, in the transaction of the success.
   * @throws ProbityError `rate_limited` when the e-mail is locked
   */
  succeed(tx: SignInFailureWrites, email: string): Promise<void>;
  /** Ends a lock, for a caller who has proved in another way to own the e-mail. */
  unlock(tx: SignInFailureWrites, email: string): Promise<void>;
}

/** Failures without a success between them until the e-mail is locked (contract, section 9). */
const MAX_FAILURES = 10;
const LOCK_MS = 15 * 60_000;

/** Failures expire after this time without another failure, in milliseconds. */
export const FAILURE_MEMORY_MS = DAY_MS;

/** Creates the counter of failed attempts. */
export function createAttempts(
  { clock, audit }: Runtime,
  { storage }: { readonly storage: Storage<SignInFailureReads, SignInFailureWrites> },
): Attempts {
  function refuse(lockedUntil: Date): never {
    const seconds = Math.ceil((lockedUntil.getTime() - clock.now().getTime()) / 1_000);
    throw new ProbityError(
      'rate_limited',
      `Too many failed attempts with this e-mail address; try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  return {
    async requireUnlocked(email) {
      const failures = await storage.findSignInFailures(subjectOf(email));
      const lockedUntil = failures?.lockedUntil;
      if (lockedUntil && lockedUntil > clock.now()) refuse(lockedUntil);
    },
    async fail(call, email, accounts) {
      const lockedUntil = await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        const now = clock.now();
        const before = await tx.openSignInFailures(subjectOf(email), now);
        if (before.lockedUntil && before.lockedUntil > now) return before.lockedUntil;
        const after = withFailure(before, now);
        await tx.storeSignInFailures(subjectOf(email), after);
        if (!after.lockedUntil) return null;
        // Ordered by organization, so that two transactions cannot deadlock.
        for (const { member } of accounts) {
          const by = { organizationId: member.organizationId, system: 'sign-in', request: call };
          const target = { type: 'member', id: member.id };
          await audit.record(tx, by, 'member.sign_in_locked', target, {
            after: { failures: after.failures, locked_until: after.lockedUntil },
          });
        }
        return null;
      });
      if (lockedUntil) refuse(lockedUntil);
    },
    async succeed(tx, email) {
      const lockedUntil = await tx.clearSignInFailures(subjectOf(email), clock.now());
      if (lockedUntil) refuse(lockedUntil);
    },
    async unlock(tx, email) {
      const failures = await tx.openSignInFailures(subjectOf(email), clock.now());
      const cleared = { ...failures, failures: 0, lockedUntil: null };
      await tx.storeSignInFailures(subjectOf(email), cleared);
    },
  };
}

function withFailure({ failures, lastFailedAt, lockedUntil }: SignInFailures, now: Date) {
  const isOld = now.getTime() - lastFailedAt.getTime() >= FAILURE_MEMORY_MS;
  const count = lockedUntil || isOld ? 1 : failures + 1;
  return {
    failures: count,
    lastFailedAt: now,
    lockedUntil: count >= MAX_FAILURES ? new Date(now.getTime() + LOCK_MS) : null,
  };
}

function subjectOf(email: string): string {
  return hashSecret(email.toLowerCase());
}
