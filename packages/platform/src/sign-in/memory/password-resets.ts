import type { MemorySession } from '@probity/core';
import { listSealed } from '@probity/core/internal';
import type { PasswordResetReads, PasswordResetWrites } from '../storage.ts';
import { tablesOf, toSealed } from './tables.ts';

/** Creates the in-memory storage for password resets. */
export function createMemoryPasswordResets(
  session: MemorySession,
): PasswordResetReads & PasswordResetWrites {
  const { resets } = tablesOf(session);
  return {
    findPasswordReset: async ({ memberId }) => resets().get(memberId) ?? null,
    async findPasswordResetByToken(tokenHash) {
      return resets().filter((row) => row.tokenHash === tokenHash)[0] ?? null;
    },
    listSealedResets: async (...range) =>
      listSealed(
        resets()
          .filter(() => true)
          .flatMap(({ memberId, sealedToken }) => toSealed(memberId, sealedToken)),
        ...range,
      ),
    async putPasswordReset(reset) {
      resets().put(reset.memberId, reset);
    },
    async takePasswordReset(tokenHash) {
      const [stored] = resets().filter((row) => row.tokenHash === tokenHash);
      if (stored) resets().delete(stored.memberId);
      return stored ?? null;
    },
    async clearSealedReset({ memberId }, tokenHash) {
      const stored = resets().get(memberId);
      if (stored?.tokenHash === tokenHash) resets().put(memberId, { ...stored, sealedToken: null });
    },
    async replaceSealedReset({ id, from, to }) {
      const stored = resets().get(id);
      if (stored?.sealedToken === from) resets().put(id, { ...stored, sealedToken: to });
    },
    async deleteExpiredResets(before, limit) {
      const expired = resets().filter(({ expiresAt }) => expiresAt < before);
      return expired.slice(0, limit).filter(({ memberId }) => resets().delete(memberId)).length;
    },
  };
}
