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
    async deletePersonalScans(before, limit) {
      const old = scans().filter((scan) => scan.createdAt < before && hasPersonalData(scan));
      const oldest = old.sort(byCreation).slice(0, limit);
      return oldest.filter(({ id }) => scans().delete(id)).length;
    },
  };
}
