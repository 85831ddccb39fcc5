import type { RetentionRule, Storage } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { FAILURE_MEMORY_MS } from './attempts.ts';
import type { SignInReads, SignInWrites } from './storage.ts';

/** Retention rules that delete expired sessions and resets, and failures that no longer count. */
export function signInRetentionRules(storage: Storage<SignInReads, SignInWrites>): RetentionRule[] {
  const deleting =
    (work: (tx: SignInWrites, before: Date, limit: number) => Promise<number>) =>
    (before: Date, limit: number) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => work(tx, before, limit));
  return [
    {
      name: 'sessions',
      olderThanMs: 0,
      deleteBatch: deleting((tx, before, limit) => tx.deleteExpiredSessions(before, limit)),
    },
    {
      name: 'password_resets',
      olderThanMs: 0,
      deleteBatch: deleting((tx, before, limit) => tx.deleteExpiredResets(before, limit)),
    },
    {
      name: 'sign_in_failures',
      olderThanMs: FAILURE_MEMORY_MS,
      deleteBatch: deleting((tx, before, limit) => tx.deleteOldSignInFailures(before, limit)),
    },
  ];
}
