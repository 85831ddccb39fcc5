import type { MemorySession } from '@probity/core';
import type { SignInFailureReads, SignInFailureWrites } from '../storage.ts';
import type { SignInFailures } from '../types.ts';
import type { StoredFailures } from './tables.ts';
import { tablesOf } from './tables.ts';

/** Creates the in-memory storage for sign-in failures. */
export function createMemorySignInFailures(
  session: MemorySession,
): SignInFailureReads & SignInFailureWrites {
  const { failures } = tablesOf(session);
  return {
    async findSignInFailures(subject) {
      return withoutSubject(failures().get(subject));
    },
    async openSignInFailures(subject, now) {
      return (
        withoutSubject(failures().get(subject)) ?? {
          failures: 0,
          lastFailedAt: now,
          lockedUntil: null,
        }
      );
    },
    async storeSignInFailures(subject, changed) {
      failures().put(subject, { ...changed, subject });
    },
    async deleteOldSignInFailures(before, limit) {
      const old = failures().filter(({ lastFailedAt }) => lastFailedAt < before);
      return old.slice(0, limit).filter(({ subject }) => failures().delete(subject)).length;
    },
  };
}

function withoutSubject(row: StoredFailures | undefined): SignInFailures | null {
  if (!row) return null;
  const { subject: _, ...failures } = row;
  return failures;
}
