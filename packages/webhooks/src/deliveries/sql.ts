import type { Page, PageOf } from '@probity/core';
import { byId } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import {
  countRows,
  deleteBatch,
  equalityPaths,
  forUpdateSkipLocked,
  insertMany,
  isAmong,
  pageOfPaths,
  prepareQuery,
  toDate,
} from '@probity/core/sql';
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FormerSecret } from '../secrets/types.ts';
import type { WebhookFormat } from '../webhooks/types.ts';
import { countFitting } from './page-size.ts';
import type { DeliveryRow } from './rows.ts';
import { DELIVERY_COLUMNS, HELD, toDelivery, toDeliveryRow, toRequest } from './rows.ts';
import { recordAttempts } from './sql/record-attempts.ts';
import type { DeliveryReads, DeliveryWrites } from './storage.ts';
import type { DeliveryFilter } from './types.ts';

/** Times are milliseconds since 1970. */
interface DeliveryTables {
  probity_webhook_deliveries: DeliveryRow & { last_request: string | null };
  probity_webhooks: {
    id: string;
    url: string;
    format: WebhookFormat;
    sealed_secret: string;
    activation: number;
    deleted: number;
  };
  probity_webhook_former_secrets: {
    id: string;
    webhook_id: string;
    sealed_secret: string;
    expires_at: number;
  };
}

const QUALIFIED_COLUMNS = DELIVERY_COLUMNS.map((column) => `d.${column}` as const);

/** A delivery with the current activation of its webhook. */
type CurrentRow = DeliveryRow & { current: number };
type DispatchRow = CurrentRow & {
  url: string;
  format: WebhookFormat;
  sealed_secret: string;
  former_id: string | null;
  former_sealed_secret: string | null;
  former_expires_at: number | null;
};
type RecordRow = CurrentRow & { last_request: string | null };
const selectRecord = prepareQuery<
  DeliveryTables,
  { webhookId: string; deliveryId: string },
  RecordRow
>((db, value) =>
  db
    .selectFrom('probity_webhook_deliveries as d')
    .innerJoin('probity_webhooks as w', 'w.id', 'd.webhook_id')
    .select(QUALIFIED_COLUMNS)
    .select(['d.last_request', 'w.activation as current'])
    .where('d.id', '=', value('deliveryId'))
    .where('d.webhook_id', '=', value('webhookId'))
    .where('w.deleted', '=', 0),
);

/**
 * By an expression, so that no index of webhooks is used to find the deliveries: PostgreSQL would read all of a webhook's
 * while it expects few, as of a table that has grown since it was analyzed.
 */
const isWebhookOfDelivery = sql<boolean>`w.id = d.webhook_id || ''`;

/** One row of each delivery for each former secret of its webhook, or one without. */
const selectDispatches = prepareQuery<DeliveryTables, { ids: string }, DispatchRow>(
  (db, value, dialect) =>
    db
      .selectFrom('probity_webhook_deliveries as d')
      .innerJoin('probity_webhooks as w', (join) => join.on(isWebhookOfDelivery))
      .leftJoin('probity_webhook_former_secrets as s', 's.webhook_id', 'd.webhook_id')
      .select(QUALIFIED_COLUMNS)
      .select(['w.url', 'w.format', 'w.sealed_secret', 'w.activation as current'])
      .select([
        's.id as former_id',
        's.sealed_secret as former_sealed_secret',
        's.expires_at as former_expires_at',
      ])
      .where(isAmong(dialect, 'd.id', value('ids')))
      .where('w.deleted', '=', 0),
);

const currentActivation = sql<number>`(
  select w.activation from probity_webhooks as w where w.id = probity_webhook_deliveries.webhook_id
)`;

const restart = prepareQuery<
  DeliveryTables,
  { id: string; at: number; replayId: string | null },
  DeliveryRow
>((db, value) =>
  db
    .updateTable('probity_webhook_deliveries')
    .set({
      status: 'pending',
      activation: currentActivation,
      replay_id: value('replayId'),
      attempt_count: 0,
      first_attempt_at: null,
      next_attempt_at: value('at'),
      pending_since: value('at'),
    })
    .where('id', '=', value('id'))
    .where((eb) => eb.or([eb('status', '!=', 'pending'), eb('activation', '<', currentActivation)]))
    .returning(DELIVERY_COLUMNS),
);

/** Size in bytes of a delivery's attempts as JSON. */
function byteLength({ dialect }: SqlSession): RawBuilder<number> {
  // Databases of hosts may use a SQLite without octet_length, which exists from 3.43 on.
  return dialect === 'sqlite'
    ? sql<number>`length(cast(attempts as blob))`
    : sql<number>`octet_length(attempts)`;
}

type DeliveryQuery<Row> = SelectQueryBuilder<DeliveryTables, 'probity_webhook_deliveries', Row>;

/** Those that are stored as pending though the webhook was turned off since; few or none, mostly. */
function withdrawn<Row>(query: DeliveryQuery<Row>, activation: number): DeliveryQuery<Row> {
  // Not a parameter: the index has only rows with this status.
  return query.where('status', '=', sql.lit('pending')).where('activation', '<', activation);
}

/** The size of a delivery's attempts, with what the deliveries are ordered by. */
interface SizedRow {
  id: string;
  created_at: number;
  bytes: number;
}

/** The page of matching deliveries, newest first. */
async function sizesOf(
  session: SqlSession,
  webhookId: string,
  activation: number,
  { status, eventType }: DeliveryFilter,
  { limit, offset }: Page,
): Promise<PageOf<SizedRow>> {
  const all = session
    .kysely<DeliveryTables>()
    .selectFrom('probity_webhook_deliveries')
    .select(['id', 'created_at', byteLength(session).as('bytes')])
    .where('webhook_id', '=', webhookId);
  const newest = all.orderBy('created_at', 'desc').orderBy('id', 'desc');
  const others =
    status === 'pending' ? sql<boolean>`activation = ${sql.val(activation)}` : undefined;
  const paths = equalityPaths(newest, { status, event_type: eventType }, { others });
  const ofType = <Row>(query: DeliveryQuery<Row>) =>
    eventType === undefined ? query : query.where('event_type', '=', eventType);
  const added = status === 'held' ? await countRows(ofType(withdrawn(all, activation))) : 0;
  if (added === 0) return pageOfPaths(paths, { limit, offset }, asIs);
  // Each in the order of an index: together they would be sorted, however many there are.
  const top = { limit: offset + limit, offset: 0 };
  const held = await pageOfPaths(paths, top, asIs);
  const further = await ofType(withdrawn(newest, activation)).limit(top.limit).execute();
  const items = [...held.items, ...further].sort(newestFirst).slice(offset, offset + limit);
  return { items, total: held.total + added };
}

const asIs = (row: SizedRow) => row;

function newestFirst(left: SizedRow, right: SizedRow): number {
  return right.created_at - left.created_at || (right.id < left.id ? -1 : 1);
}

/** Reads deliveries on a SQL session. */
export function createDeliveryReads(session: SqlSession): DeliveryReads {
  return {
    async listDeliveries(webhookId, filter, page) {
      const db = session.kysely<DeliveryTables>();
      const webhook = await db
        .selectFrom('probity_webhooks')
        .select('activation')
        .where('id', '=', webhookId)
        .where('deleted', '=', 0)
        .executeTakeFirst();
      if (!webhook) return { items: [], total: 0 };
      const { activation } = webhook;
      const { maxBytes, ...window } = page;
      // The sizes are read first: the attempts of a page may be many times larger than its limit.
      const { items: sized, total } = await sizesOf(session, webhookId, activation, filter, window);
      const fitting = countFitting(
        sized.map(({ bytes }) => bytes),
        maxBytes,
      );
      const ids = sized.slice(0, fitting).map(({ id }) => id);
      if (ids.length === 0) return { items: [], total };
      const rows = await db
        .selectFrom('probity_webhook_deliveries')
        .select(DELIVERY_COLUMNS)
        .where('id', 'in', ids)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return { items: rows.map((row) => toDelivery(row, activation)), total };
    },
    async findDelivery(webhookId, deliveryId) {
      const [row] = await selectRecord(session, { webhookId, deliveryId });
      if (!row) return null;
      const lastRequest = row.last_request === null ? null : toRequest(row.last_request);
      return { delivery: toDelivery(row, row.current), lastRequest };
    },
    async findDispatches(deliveryIds) {
      const found = await selectDispatches(session, { ids: JSON.stringify(deliveryIds) });
      const byDelivery = new Map<string, [DispatchRow, ...DispatchRow[]]>();
      for (const row of found) {
        const rows = byDelivery.get(row.id);
        if (rows) rows.push(row);
        else byDelivery.set(row.id, [row]);
      }
      return [...byDelivery.values()].map((rows) => {
        const [{ url, format, sealed_secret: sealedSecret, current, ...row }] = rows;
        const former = rows.flatMap(toFormerSecret).sort(byId);
        const secrets = { sealedSecret, former };
        return { delivery: toDelivery(row, current), url, format, secrets };
      });
    },
  };
}

/** Writes deliveries on a SQL session. */
export function createDeliveryWrites(session: SqlSession): DeliveryWrites {
  return {
    async insertDeliveries(deliveries) {
      const rows = await insertMany(
        session,
        'probity_webhook_deliveries',
        deliveries.map(toDeliveryRow),
        {
          onConflictDoNothing: ['event_id', 'webhook_id'],
          returning: ['id'],
        },
      );
      const inserted = new Set(rows.map(({ id }) => id));
      return deliveries.filter(({ id }) => inserted.has(id));
    },
    recordAttempts: (records) => recordAttempts(session, records),
    async failDelivery(deliveryId) {
      await session
        .kysely<DeliveryTables>()
        .updateTable('probity_webhook_deliveries')
        .set({ status: 'failed', next_attempt_at: null })
        .where('id', '=', deliveryId)
        .where('status', '=', 'pending')
        .execute();
    },
    async restartDelivery(deliveryId, at, replayId) {
      const [row] = await restart(session, { id: deliveryId, at: at.getTime(), replayId });
      return row ? toDelivery(row, row.activation) : null;
    },
    async findWithdrawn(webhookId, limit) {
      const db = session.kysely<DeliveryTables>();
      const webhook = await db
        .selectFrom('probity_webhooks')
        .select(['activation', 'deleted'])
        .where('id', '=', webhookId)
        .executeTakeFirst();
      if (!webhook) return { isDeleted: false, deliveryIds: [] };
      const isDeleted = webhook.deleted === 1;
      const own = db
        .selectFrom('probity_webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', webhookId);
      const found = isDeleted ? own : withdrawn(own, webhook.activation);
      const rows = await found.limit(limit).execute();
      return { isDeleted, deliveryIds: rows.map(({ id }) => id) };
    },
    async holdDeliveries(ids) {
      if (ids.length === 0) return;
      await session
        .kysely<DeliveryTables>()
        .updateTable('probity_webhook_deliveries')
        .set(HELD)
        .where('id', 'in', unlocked(session, ids).where('status', '=', 'pending'))
        .execute();
    },
    async deleteDeliveries(ids) {
      if (ids.length === 0) return;
      await session
        .kysely<DeliveryTables>()
        .deleteFrom('probity_webhook_deliveries')
        .where('id', 'in', unlocked(session, ids))
        .execute();
    },
    deleteDeliveriesOf(eventIds, limit) {
      const ofEvents = session
        .kysely<DeliveryTables>()
        .selectFrom('probity_webhook_deliveries')
        .select('id')
        .where('event_id', 'in', eventIds)
        .limit(limit);
      return deleteBatch(session, 'probity_webhook_deliveries', 'id', ofEvents);
    },
  };
}

/**
 * Those of the deliveries that no other transaction is changing. To wait for the others in any order
 * could deadlock with a transaction that stores several results.
 */
function unlocked(session: SqlSession, ids: readonly string[]) {
  const own = session
    .kysely<DeliveryTables>()
    .selectFrom('probity_webhook_deliveries')
    .select('id')
    .where('id', 'in', ids);
  return forUpdateSkipLocked(session.dialect, own);
}

function toFormerSecret(row: DispatchRow): FormerSecret[] {
  const { former_id: id, former_sealed_secret: sealedSecret, former_expires_at: expiresAt } = row;
  if (id === null || sealedSecret === null || expiresAt === null) return [];
  return [{ id, webhookId: row.webhook_id, sealedSecret, expiresAt: toDate(expiresAt) }];
}
