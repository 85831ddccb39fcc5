import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import {
  byCreation,
  defineMemoryTable,
  listSealed,
  newestFirst,
  owned,
  pageOf,
} from '@probity/core/internal';
import type { BatchReads, BatchStorage, BatchWrites, NewBatchItem } from './storage.ts';
import type { BatchItem, BatchItemResult, ScanBatch } from './types.ts';

interface ItemRow extends NewBatchItem {
  readonly organizationId: string;
}

const BATCHES = defineMemoryTable<ScanBatch>('scan_batches', 'organizationId');
const ITEMS = defineMemoryTable<ItemRow>('scan_batch_items', 'organizationId');

/** The storage of batches in memory. */
export function createMemoryBatchStorage(database: Database<MemorySession>): BatchStorage {
  return bindStorage<MemorySession, BatchReads, BatchWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

function createReads(session: MemorySession): BatchReads {
  const batches = () => session.table(BATCHES);
  const items = () => session.table(ITEMS);
  return {
    async findBatch(organizationId, id) {
      return owned(batches(), organizationId, id);
    },
    async listBatches(organizationId, { keyId, since, until }, page) {
      const matching = batches().filter(
        (batch) =>
          batch.organizationId === organizationId &&
          (keyId === undefined || batch.keyId === keyId) &&
          (since === undefined || batch.createdAt >= since) &&
          (until === undefined || batch.createdAt < until),
      );
      return pageOf(matching, page, newestFirst);
    },
    async countRunningBatches(organizationId) {
      return batches().filter(
        (batch) => batch.organizationId === organizationId && batch.status === 'running',
      ).length;
    },
    async listBatchItems(organizationId, batchId, { status, verdict }, page) {
      const rows = items().filter(
        ({ item }) =>
          item.organizationId === organizationId &&
          item.batchId === batchId &&
          (status === undefined || item.status === status) &&
          (verdict === undefined || item.verdict === verdict),
      );
      const all = rows.map(({ item }) => item);
      return pageOf(all, page, (left, right) => left.index - right.index);
    },
    async findWaitingItem(id) {
      const { item, sealed } = items().get(id) ?? {};
      if (!item || !sealed || item.status !== 'pending') return null;
      const batch = batches().get(item.batchId);
      if (!batch) return null;
      const { memberId, keyId, requestId } = batch;
      return { item, batch: { memberId, keyId, requestId }, sealed };
    },
    async listSealedItems(exceptKeyId, after, limit) {
      const values = items()
        .filter(({ sealed }) => sealed !== null)
        .map(({ item: { id }, sealed }) => ({ id, sealed: sealed as string }));
      return listSealed(values, exceptKeyId, after, limit);
    },
  };
}

function createWrites(session: MemorySession): BatchWrites {
  const batches = () => session.table(BATCHES);
  const items = () => session.table(ITEMS);
  const put = (item: BatchItem, sealed: string | null) =>
    items().put(item.id, { organizationId: item.organizationId, item, sealed });
  const ended = (before: Date) =>
    batches()
      .filter(({ endedAt }) => endedAt !== null && endedAt < before)
      .sort(byCreation);
  return {
    async insertBatch(batch) {
      batches().put(batch.id, batch);
    },
    async insertBatchItems(rows) {
      for (const { item, sealed } of rows) put(item, sealed);
    },
    async finishItem(id, result) {
      const row = items().get(id);
      if (row?.item.status !== 'pending') return false;
      put({ ...row.item, ...toMembers(result) }, null);
      return true;
    },
    async addCounts({ batchId, ...added }, now) {
      const batch = batches().get(batchId);
      if (batch?.status !== 'running') return null;
      const counted = {
        ...batch,
        allowed: batch.allowed + added.allowed,
        flagged: batch.flagged + added.flagged,
        blocked: batch.blocked + added.blocked,
        errors: batch.errors + added.errors,
      };
      const done = counted.allowed + counted.flagged + counted.blocked + counted.errors;
      const isDone = done >= batch.total;
      const next: ScanBatch = isDone ? { ...counted, status: 'completed', endedAt: now } : counted;
      batches().put(batchId, next);
      return isDone ? next : null;
    },
    async cancelBatch(organizationId, id, now) {
      const batch = owned(batches(), organizationId, id);
      if (batch?.status !== 'running') return null;
      const pending = items().filter(
        ({ item }) => item.batchId === id && item.status === 'pending',
      );
      for (const { item } of pending) put({ ...item, status: 'canceled' }, null);
      const ending = { status: 'canceled', canceled: pending.length, endedAt: now } as const;
      batches().put(id, { ...batch, ...ending });
      return { ...batch, ...ending };
    },
    async deleteItemsOfEnded(before, limit) {
      const ids = new Set(ended(before).map(({ id }) => id));
      const old = items().filter(({ item }) => ids.has(item.batchId));
      return old.slice(0, limit).filter(({ item }) => items().delete(item.id)).length;
    },
    async deleteEndedBatches(before, limit) {
      const old = ended(before).slice(0, limit);
      for (const { id } of old) {
        items().deleteWhere(({ item }) => item.batchId === id);
        batches().delete(id);
      }
      return old.length;
    },
    async replaceSealedItem({ id, from, to }) {
      const row = items().get(id);
      if (row?.sealed === from) put(row.item, to);
    },
  };
}

function toMembers(result: BatchItemResult): Partial<BatchItem> {
  return result.status === 'completed'
    ? { status: 'completed', scanId: result.scanId, verdict: result.verdict }
    : { status: 'failed', error: result.error };
}
