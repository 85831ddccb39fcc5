import type { MemorySession } from '../storage/memory.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import type { IdempotencyReads, IdempotencyRecord, IdempotencyWrites } from './storage.ts';

const RECORDS = defineMemoryTable<IdempotencyRecord>('idempotency_records', null);

/** Idempotency records in memory; transactions are serial, so no scope is ever busy. */
export function createMemoryIdempotency(
  session: MemorySession,
): IdempotencyReads & IdempotencyWrites {
  const records = () => session.table(RECORDS);
  const find = (scope: string, notBefore: Date) => {
    const record = records().get(scope);
    return record && record.createdAt > notBefore ? record : null;
  };
  return {
    findIdempotencyRecord: async (scope, notBefore) => find(scope, notBefore),
    async claimIdempotencyKey(scope, notBefore) {
      const record = find(scope, notBefore);
      return record ? { kind: 'answered', record } : { kind: 'claimed' };
    },
    async storeIdempotencyRecord(record) {
      records().put(record.scope, record);
    },
    async deleteIdempotencyRecords(before, limit) {
      const old = records()
        .filter(({ createdAt }) => createdAt < before)
        .slice(0, limit);
      for (const { scope } of old) records().delete(scope);
      return old.length;
    },
  };
}
