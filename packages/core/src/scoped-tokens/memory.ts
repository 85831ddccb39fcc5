import type { MemorySession } from '../storage/memory.ts';
import { pageOf } from '../storage/memory-rows.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { isPresent } from '../tenants/memory.ts';
import type { ScopedTokenReads, ScopedTokenWrites } from './storage.ts';
import type { ScopedToken } from './types.ts';

const TOKENS = defineMemoryTable<ScopedToken>('scoped_tokens', 'organizationId');

function lastExpiryFirst(left: ScopedToken, right: ScopedToken): number {
  return right.expiresAt.getTime() - left.expiresAt.getTime() || (right.id < left.id ? -1 : 1);
}

/** Tokens of limited scope in memory. */
export function createMemoryScopedTokens(
  session: MemorySession,
): ScopedTokenReads & ScopedTokenWrites {
  const tokens = () => session.table(TOKENS);
  const deleteAll = (found: readonly ScopedToken[]) => {
    for (const { id } of found) tokens().delete(id);
    return found.length;
  };
  return {
    async identifyScopedToken(tokenHash) {
      const [token] = tokens().filter((row) => row.tokenHash === tokenHash);
      return token && isPresent(session, token.organizationId) ? token : null;
    },
    async countScopedTokens(organizationId, kind, after) {
      return tokens().filter(
        (row) =>
          row.organizationId === organizationId && row.kind === kind && row.expiresAt > after,
      ).length;
    },
    async listScopedTokens({ organizationId, kind, after, memberId }, page) {
      const found = tokens().filter(
        (row) =>
          row.organizationId === organizationId &&
          row.kind === kind &&
          row.expiresAt > after &&
          (memberId === undefined || row.issuer.memberId === memberId),
      );
      return pageOf(found, page, lastExpiryFirst);
    },
    async insertScopedToken(token) {
      tokens().put(token.id, token);
    },
    async deleteScopedToken(organizationId, kind, id) {
      const token = tokens().get(id);
      if (token?.organizationId !== organizationId || token.kind !== kind) return false;
      return tokens().delete(id);
    },
    async deleteScopedTokensOf(organizationId, kind, memberId) {
      return deleteAll(
        tokens().filter(
          (row) =>
            row.organizationId === organizationId &&
            row.kind === kind &&
            (memberId === undefined || row.issuer.memberId === memberId),
        ),
      );
    },
    async deleteExpiredScopedTokens(before, limit) {
      return deleteAll(
        tokens()
          .filter(({ expiresAt }) => expiresAt < before)
          .slice(0, limit),
      );
    },
  };
}
