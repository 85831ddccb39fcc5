import type { RetentionRule, SealedValues } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { FAILURE_MEMORY_MS } from './attempts.ts';
import { resetPurpose } from './password-resets.ts';
import { mfaPurpose } from './second-factor.ts';
import type { SignInStorage, SignInWrites } from './storage.ts';

/** What retention removes of signing in: whatever has lost its meaning, as soon as it has. */
export function signInRetentionRules(storage: SignInStorage): RetentionRule[] {
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
      deleteBatch: deleting((tx, before, limit) => tx.deleteOldFailures(before, limit)),
    },
  ];
}

/** What is sealed of signing in, for key rotation; rows are named by their members' ids. */
export function sealedSignInValues(storage: SignInStorage): SealedValues[] {
  return [
    {
      name: 'mfa_secrets',
      purposeOf: mfaPurpose,
      list: storage.listSealedMfaSecrets,
      replace: (values) =>
        storage.transaction(OUTSIDE_REQUEST, async (tx) => {
          for (const value of values) await tx.replaceMfaSecret(value);
        }),
    },
    {
      name: 'password_reset_tokens',
      purposeOf: resetPurpose,
      list: storage.listSealedResets,
      replace: (values) =>
        storage.transaction(OUTSIDE_REQUEST, async (tx) => {
          for (const value of values) await tx.replaceSealedReset(value);
        }),
    },
  ];
}
