import type { MemorySession } from '../storage/memory.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import { TENANTS } from '../tenants/memory.ts';
import type { IdempotencyReads, IdempotencyRecord, IdempotencyWrites } from './storage.ts';

type IdempotencyRow = IdempotencyRecord & { readonly tenant: string };

const RECORDS = defineMemoryTable<IdempotencyRow>('idempotency_records', 'tenant');

/** Idempotency records in memory; transactions are serial, so no scope is ever busy. */
export function createMemoryIdempotency(
  session: MemorySession,
): IdempotencyReads & IdempotencyWrites {
  const records = () => session.table(RECORDS);
  const find = (scope: string, notBefore: Date) => {
    const row = records().get(scope);
    if (!row || row.createdAt <= notBefore) return null;
    const { tenant: _, ...record } = row;
    return record;
  };
  return {
    findIdempotencyRecord: async (scope, notBefore) => find(scope, notBefore),
    async claimIdempotencyKey(scope, notBefore) {
      const record = find(scope, notBefore);
      return record ? { kind: 'answered', record } : { kind: 'claimed' };
    },
    async storeIdempotencyRecord(record) {
      const { organizationId } = record;
      const tenant = organizationId && session.table(TENANTS).get(organizationId)?.id;
      const row = { ...record, organizationId: tenant || null, tenant: tenant ?? '' };
      records().put(record.scope, row);
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
