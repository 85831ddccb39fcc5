import type { Runtime, Storage } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { RequestOrigin } from '@probity/core/internal';
import { DAY_MS, hashSecret } from '@probity/core/internal';
import type { SignInFailureReads, SignInFailureWrites } from './storage.ts';
import type { Account, SignInFailures } from './types.ts';

/** The request to sign in, which is not authenticated. */
export type SignInCall = RequestOrigin;

/**
 * Counts failures to prove who somebody is. They are counted by e-mail, whether anybody has it or
 * not, so that neither the count nor the lock tells; and in the database, so that all instances
 * count together. A decision is made by the count as it is when the proof has been checked: however
 * many guesses are under way at once, the answers to ten of them can be told from a refusal.
 */
export interface Attempts {
  /** @throws ProbityError `rate_limited` with Retry-After while the e-mail is locked */
  requireUnlocked(email: string): Promise<void>;
  /**
   * Counts a failure, in a transaction of its own; the tenth locks, which `accounts` hear of in
   * their audit logs.
   * @throws ProbityError `rate_limited` when others have locked the e-mail meanwhile
   */
  fail(call: SignInCall, email: string, accounts: readonly Account[]): Promise<void>;
  /**
   * Forgets the failures, in the transaction of the success.
   * @throws ProbityError `rate_limited` when the e-mail is locked
   */
  succeed(tx: SignInFailureWrites, email: string): Promise<void>;
  /** Ends a lock, for somebody who has proved otherwise whose e-mail it is. */
  unlock(tx: SignInFailureWrites, email: string): Promise<void>;
}

/** So many failures without a success between them lock (contract, section 9). */
const MAX_FAILURES = 10;
const LOCK_MS = 15 * 60_000;

/** Failures are forgotten when none has followed for so long. */
export const FAILURE_MEMORY_MS = DAY_MS;

/** Creates the count of failures. */
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
        // In the order of organizations, so that two transactions cannot wait for each other.
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
