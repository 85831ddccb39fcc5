import type { MemorySession } from '@probity/core';
import { byCreation, defineMemoryTable, newestFirst, owned, pageOf } from '@probity/core/internal';
import { matchesFilter } from './filter.ts';
import type { ScanReads, ScanWrites } from './storage.ts';
import type { Scan } from './types.ts';
import { hasPersonalData } from './types.ts';

const SCANS = defineMemoryTable<Scan>('scans', 'organizationId');

/** Reads and writes scans in memory. */
export function createScanOperations(session: MemorySession): ScanReads & ScanWrites {
  const scans = () => session.table(SCANS);
  const own = (organizationId: string) =>
    scans().filter((scan) => scan.organizationId === organizationId);
  const deleteOldest = (among: Scan[], before: Date, limit: number) => {
    const old = among.filter(({ createdAt }) => createdAt < before).sort(byCreation);
    return old.slice(0, limit).filter(({ id }) => scans().delete(id)).length;
  };
  return {
    async findScan(organizationId, id) {
      return owned(scans(), organizationId, id);
    },
    async listScans(organizationId, filter, page) {
      const matching = scans().filter(
        (scan) => scan.organizationId === organizationId && matchesFilter(scan, filter),
      );
      return pageOf(matching, page, newestFirst);
    },
    async readJudgedScans(organizationId, { since, after, limit }) {
      const matching = scans().filter(
        (scan) =>
          scan.organizationId === organizationId &&
          (since === undefined || scan.createdAt >= since) &&
          (after === undefined || newestFirst(after, scan) < 0),
      );
      return matching
        .sort(newestFirst)
        .slice(0, limit)
        .map(({ id, keyId, scores, findings, facts, namedPolicyIds, createdAt }) => ({
          ...{ id, keyId, scores, findings, facts, namedPolicyIds, createdAt },
        }));
    },
    async insertScan(scan) {
      scans().put(scan.id, scan);
    },
    async readTimedScans(organizationId, { since, until, after, limit }) {
      return own(organizationId)
        .filter(({ createdAt }) => createdAt >= since && createdAt < until)
        .filter((scan) => after === undefined || byCreation(after, scan) < 0)
        .sort(byCreation)
        .slice(0, limit)
        .map(({ id, createdAt, aiSystemId, verdict, policies, violation, facts }) => ({
          ...{ id, createdAt, aiSystemId, verdict, policies, violation, facts },
        }));
    },
    async oldestScanAt(organizationId) {
      const [oldest] = own(organizationId).sort(byCreation);
      return oldest?.createdAt ?? null;
    },
    deletePersonalScans: async (organizationId, before, limit) =>
      deleteOldest(own(organizationId).filter(hasPersonalData), before, limit),
    deleteScans: async (organizationId, before, limit) =>
      deleteOldest(own(organizationId), before, limit),
  };
}
