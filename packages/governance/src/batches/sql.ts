import { bindStorage } from '@probity/core';
import { sealingKeyOf } from '@probity/core/internal';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import {
  countChanges,
  deleteBatch,
  insertMany,
  listPath,
  pageOf,
  pageOfPaths,
  prepareQuery,
  requireSealingKey,
  sealedColumn,
  toDate,
  toDateOrNull,
} from '@probity/core/sql';
import { sql } from 'kysely';
import type { Verdict } from '../scans/types.ts';
import type { BatchReads, BatchStorage, BatchWrites, NewBatchItem } from './storage.ts';
import type {
  BatchItem,
  BatchItemError,
  BatchItemResult,
  BatchItemStatus,
  BatchStatus,
  ScanBatch,
} from './types.ts';

/** Times are milliseconds since 1970. */
interface BatchRow {
  id: string;
  organization_id: string;
  member_id: string;
  key_id: string;
  request_id: string;
  status: string;
  total: number;
  allowed: number;
  flagged: number;
  blocked: number;
  errors: number;
  canceled: number;
  created_at: number;
  ended_at: number | null;
}

interface ItemRow {
  id: string;
  organization_id: string;
  batch_id: string;
  position: number;
  status: string;
  scan_id: string | null;
  verdict: string | null;
  /** JSON. */
  error: string | null;
  /** Null unless the item is pending. */
  sealed: string | null;
}

interface BatchTables {
  probity_scan_batches: BatchRow;
  probity_scan_batch_items: ItemRow;
}

const ITEM_COLUMNS = [
  ...['id', 'organization_id', 'batch_id', 'position', 'status', 'scan_id', 'verdict', 'error'],
] as const satisfies ReadonlyArray<keyof ItemRow>;

type ListedRow = Pick<ItemRow, (typeof ITEM_COLUMNS)[number]>;
type WaitingRow = ListedRow &
  Pick<ItemRow, 'sealed'> &
  Pick<BatchRow, 'member_id' | 'key_id' | 'request_id'>;

const selectWaiting = prepareQuery<BatchTables, { id: string }, WaitingRow>((db, value) =>
  db
    .selectFrom('probity_scan_batch_items as item')
    .innerJoin('probity_scan_batches as batch', 'batch.id', 'item.batch_id')
    .select(ITEM_COLUMNS.map((column) => `item.${column}` as const))
    .select(['item.sealed', 'batch.member_id', 'batch.key_id', 'batch.request_id'])
    .where('item.id', '=', value('id'))
    .where('item.status', '=', 'pending'),
);

const updatePending = prepareQuery<
  BatchTables,
  Pick<ItemRow, 'id' | 'status' | 'scan_id' | 'verdict' | 'error'>,
  { id: string }
>((db, value) =>
  db
    .updateTable('probity_scan_batch_items')
    .set({
      status: value('status'),
      scan_id: value('scan_id'),
      verdict: value('verdict'),
      error: value('error'),
      sealed: null,
    })
    .where('id', '=', value('id'))
    .where('status', '=', 'pending')
    .returning('id'),
);

/** The storage of batches on SQLite and PostgreSQL. */
export function createSqlBatchStorage(database: SqlDatabase): BatchStorage {
  return bindStorage<SqlSession, BatchReads, BatchWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

function createReads(session: SqlSession): BatchReads {
  const db = () => session.kysely<BatchTables>();
  return {
    async findBatch(organizationId, id) {
      const row = await db()
        .selectFrom('probity_scan_batches')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toBatch(row) : null;
    },
    listBatches(organizationId, { keyId, since, until }, page) {
      const newest = db()
        .selectFrom('probity_scan_batches')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      const ofKey = keyId === undefined ? newest : newest.where('key_id', '=', keyId);
      return pageOfPaths([listPath(newest, ofKey, { times: { since, until } })], page, toBatch);
    },
    async countRunningBatches(organizationId) {
      const row = await db()
        .selectFrom('probity_scan_batches')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    listBatchItems(organizationId, batchId, { status, verdict }, page) {
      let matching = db()
        .selectFrom('probity_scan_batch_items')
        .select(ITEM_COLUMNS)
        .where('organization_id', '=', organizationId)
        .where('batch_id', '=', batchId);
      if (status !== undefined) matching = matching.where('status', '=', status);
      if (verdict !== undefined) matching = matching.where('verdict', '=', verdict);
      return pageOf(matching.orderBy('position'), page, toItem);
    },
    async findWaitingItem(id) {
      const [row] = await selectWaiting(session, { id });
      if (!row?.sealed) return null;
      const { member_id: memberId, key_id: keyId, request_id: requestId, sealed } = row;
      return { item: toItem(row), batch: { memberId, keyId, requestId }, sealed };
    },
    listSealedItems: sealedItems(session).list,
  };
}

function sealedItems(session: SqlSession) {
  return sealedColumn(session, 'probity_scan_batch_items', 'sealed');
}

function createWrites(session: SqlSession): BatchWrites {
  const db = () => session.kysely<BatchTables>();
  const ended = (before: Date) =>
    db()
      .selectFrom('probity_scan_batches')
      .select('id')
      .where('ended_at', '<', before.getTime())
      .orderBy('ended_at');
  return {
    async insertBatch(batch) {
      await db().insertInto('probity_scan_batches').values(toBatchRow(batch)).execute();
    },
    async insertBatchItems(items) {
      const sealed = items.flatMap((item) => item.sealed ?? []);
      const byKey = new Map(sealed.map((value) => [sealingKeyOf(value), value]));
      for (const value of byKey.values()) await requireSealingKey(session, value);
      await insertMany(session, 'probity_scan_batch_items', items.map(toItemRow));
    },
    async finishItem(id, result) {
      const rows = await updatePending(session, { id, ...toResultColumns(result) });
      return rows.length > 0;
    },
    addCounts: (added, now) => addCounts(session, added, now),
    cancelBatch: (organizationId, id, now) => cancelBatch(session, organizationId, id, now),
    deleteItemsOfEnded(before, limit) {
      const old = db()
        .selectFrom('probity_scan_batch_items')
        .select('id')
        .where('batch_id', 'in', ended(before))
        .limit(limit);
      return deleteBatch(session, 'probity_scan_batch_items', 'id', old);
    },
    deleteEndedBatches: (before, limit) =>
      deleteBatch(session, 'probity_scan_batches', 'id', ended(before).limit(limit)),
    replaceSealedItem: sealedItems(session).replace,
  };
}

/** The row is locked until the end of the transaction, so that the next one sees these counts. */
async function addCounts(
  session: SqlSession,
  { batchId, ...added }: Parameters<BatchWrites['addCounts']>[0],
  now: Date,
): Promise<ScanBatch | null> {
  const sum = (name: keyof typeof added) => sql<number>`${sql.ref(name)} + ${added[name]}`;
  const done = Object.values(added).reduce((total, each) => total + each, 0);
  const isDone = sql<boolean>`allowed + flagged + blocked + errors + ${done} >= total`;
  const row = await session
    .kysely<BatchTables>()
    .updateTable('probity_scan_batches')
    .set({
      allowed: sum('allowed'),
      flagged: sum('flagged'),
      blocked: sum('blocked'),
      errors: sum('errors'),
      status: sql<string>`case when ${isDone} then 'completed' else status end`,
      ended_at: sql<number | null>`case when ${isDone} then cast(${now.getTime()} as bigint) end`,
    })
    .where('id', '=', batchId)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();
  return row?.status === 'completed' ? toBatch(row) : null;
}

/** Items first, then the batch, which is the order of workers that store results. */
async function cancelBatch(
  session: SqlSession,
  organizationId: string,
  id: string,
  now: Date,
): Promise<ScanBatch | null> {
  const db = session.kysely<BatchTables>();
  const canceled = await countChanges(
    db
      .updateTable('probity_scan_batch_items')
      .set({ status: 'canceled', sealed: null })
      .where('organization_id', '=', organizationId)
      .where('batch_id', '=', id)
      .where('status', '=', 'pending'),
  );
  const row = await db
    .updateTable('probity_scan_batches')
    .set({ status: 'canceled', canceled, ended_at: now.getTime() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();
  return row ? toBatch(row) : null;
}

function toBatchRow(batch: ScanBatch): BatchRow {
  return {
    id: batch.id,
    organization_id: batch.organizationId,
    member_id: batch.memberId,
    key_id: batch.keyId,
    request_id: batch.requestId,
    status: batch.status,
    total: batch.total,
    allowed: batch.allowed,
    flagged: batch.flagged,
    blocked: batch.blocked,
    errors: batch.errors,
    canceled: batch.canceled,
    created_at: batch.createdAt.getTime(),
    ended_at: batch.endedAt?.getTime() ?? null,
  };
}

function toBatch(row: BatchRow): ScanBatch {
  return {
    id: row.id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    keyId: row.key_id,
    requestId: row.request_id,
    status: row.status as BatchStatus,
    total: row.total,
    allowed: row.allowed,
    flagged: row.flagged,
    blocked: row.blocked,
    errors: row.errors,
    canceled: row.canceled,
    createdAt: toDate(row.created_at),
    endedAt: toDateOrNull(row.ended_at),
  };
}

function toItemRow({ item, sealed }: NewBatchItem): ItemRow {
  return {
    id: item.id,
    organization_id: item.organizationId,
    batch_id: item.batchId,
    position: item.index,
    status: item.status,
    scan_id: item.scanId,
    verdict: item.verdict,
    error: item.error && JSON.stringify(item.error),
    sealed,
  };
}

function toItem(row: ListedRow): BatchItem {
  return {
    id: row.id,
    organizationId: row.organization_id,
    batchId: row.batch_id,
    index: row.position,
    status: row.status as BatchItemStatus,
    scanId: row.scan_id,
    verdict: row.verdict as Verdict | null,
    error: row.error === null ? null : (JSON.parse(row.error) as BatchItemError),
  };
}

function toResultColumns(result: BatchItemResult) {
  return result.status === 'completed'
    ? { status: 'completed', scan_id: result.scanId, verdict: result.verdict, error: null }
    : { status: 'failed', scan_id: null, verdict: null, error: JSON.stringify(result.error) };
}
