import type { MemorySession } from '@probity/core';
import { newestFirst, pageOf } from '@probity/core/internal';
import type { SessionReads, SessionWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import { isOf, tablesOf } from './tables.ts';

/** Creates the in-memory storage for sessions. */
export function createMemorySessions(session: MemorySession): SessionReads & SessionWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: MemorySession): SessionReads {
  const { organizations, members, sessions } = tablesOf(session);
  return {
    async identifySession(id) {
      const stored = sessions().get(id);
      const member = stored && members().get(stored.memberId);
      const organization = stored && organizations().get(stored.organizationId);
      if (!stored || !member || !organization) return null;
      return {
        sessionId: id,
        familyHash: stored.familyHash,
        organizationId: stored.organizationId,
        memberId: stored.memberId,
        memberRole: member.role,
        memberStatus: member.status,
        plan: organization.plan,
        ipAllowlist: JSON.stringify(organization.settings.ipAllowlist),
        expiresAt: stored.expiresAt,
      };
    },
    async findSession(key, id) {
      const stored = sessions().get(id);
      return stored && isOf(stored, key) ? stored : null;
    },
    async listSessions(key, now, page) {
      const own = sessions().filter((row) => isOf(row, key) && row.expiresAt > now);
      return pageOf(own, page, newestFirst);
    },
  };
}

function createWrites(session: MemorySession): SessionWrites {
  const { sessions } = tablesOf(session);
  return {
    async insertSession(created) {
      sessions().put(created.id, created);
    },
    async lockSessionByFamily(familyHash) {
      return sessions().filter((row) => row.familyHash === familyHash)[0] ?? null;
    },
    async renewSession(id, refreshHash, at) {
      const stored = sessions().get(id);
      if (!stored) return;
      const previousHash = stored.refreshHash;
      sessions().put(id, { ...stored, refreshHash, previousHash, lastUsed: at });
    },
    async deleteSession(key, id) {
      const stored = sessions().get(id);
      return stored !== undefined && isOf(stored, key) && sessions().delete(id);
    },
    deleteSessionsOf: async (key, exceptId) => deleteSessionsOf(session, key, exceptId),
    async deleteExpiredSessions(before, limit) {
      const expired = sessions().filter(({ expiresAt }) => expiresAt < before);
      return expired.slice(0, limit).filter(({ id }) => sessions().delete(id)).length;
    },
  };
}

/** Ends the member's sessions except one; returns how many. */
export function deleteSessionsOf(
  session: MemorySession,
  key: MemberKey,
  exceptId?: string,
): number {
  const { sessions } = tablesOf(session);
  const ended = sessions().filter((row) => isOf(row, key) && row.id !== exceptId);
  return ended.filter(({ id }) => sessions().delete(id)).length;
}
