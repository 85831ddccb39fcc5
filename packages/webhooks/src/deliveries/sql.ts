import type { SqlSession } from '@probity/core/sql';
import {
  countChanges,
  deleteBatch,
  insertMany,
  pageOf,
  prepareQuery,
  toDate,
  toDateOrNull,
} from '@probity/core/sql';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { countFitting } from './page-size.ts';
import type { DeliveryReads, DeliveryWrites } from './storage.ts';
import type { Delivery, DeliveryAttempt, DeliveryStatus } from './types.ts';

/** Times are milliseconds since 1970. */
interface DeliveryTables {
  probity_webhook_deliveries: DeliveryRow;
  probity_webhooks: { id: string; url: string; sealed_secret: string };
}

interface DeliveryRow {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  status: string;
  /** JSON array of attempts, with times in ISO 8601. */
  attempts: string;
  attempt_count: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  created_at: number;
}

type DispatchRow = DeliveryRow & { url: string; sealed_secret: string };
type AttemptState = Pick<
  DeliveryRow,
  'id' | 'status' | 'attempts' | 'attempt_count' | 'first_attempt_at' | 'next_attempt_at'
>;

const selectDispatch = prepareQuery<DeliveryTables, { id: string }, DispatchRow>((db, value) =>
  db
    .selectFrom('probity_webhook_deliveries as d')
    .innerJoin('probity_webhooks as w', 'w.id', 'd.webhook_id')
    .selectAll('d')
    .select(['w.url', 'w.sealed_secret'])
    .where('d.id', '=', value('id')),
);

const updateWhere = (expected: 'pending' | 'held') =>
  prepareQuery<DeliveryTables, AttemptState, { id: string }>((db, value) =>
    db
      .updateTable('probity_webhook_deliveries')
      .set({
        status: value('status'),
        attempts: value('attempts'),
        attempt_count: value('attempt_count'),
        first_attempt_at: value('first_attempt_at'),
        next_attempt_at: value('next_attempt_at'),
      })
      .where('id', '=', value('id'))
      .where('status', '=', expected)
      .returning('id'),
  );

const updatePending = updateWhere('pending');
const updateHeld = updateWhere('held');

/** Size in bytes of a delivery's attempts as JSON. */
function byteLength({ dialect }: SqlSession): RawBuilder<number> {
  // Databases of hosts may use a SQLite without octet_length, which exists from 3.43 on.
  return dialect === 'sqlite'
    ? sql<number>`length(cast(attempts as blob))`
    : sql<number>`octet_length(attempts)`;
}

/** Reads deliveries on a SQL session. */
export function createDeliveryReads(session: SqlSession): DeliveryReads {
  return {
    async listDeliveries(webhookId, { status, eventType }, page) {
      const db = session.kysely<DeliveryTables>();
      let matching = db
        .selectFrom('probity_webhook_deliveries')
        .where('webhook_id', '=', webhookId);
      if (status !== undefined) matching = matching.where('status', '=', status);
      if (eventType !== undefined) matching = matching.where('event_type', '=', eventType);
      const { maxBytes, ...window } = page;
      // The sizes are read first: the attempts of a page may be many times larger than its limit.
      const sizes = matching
        .select(['id', byteLength(session).as('bytes')])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      const { items: sized, total } = await pageOf(sizes, window, (row) => row);
      const fitting = countFitting(
        sized.map(({ bytes }) => bytes),
        maxBytes,
      );
      const ids = sized.slice(0, fitting).map(({ id }) => id);
      if (ids.length === 0) return { items: [], total };
      const rows = await db
        .selectFrom('probity_webhook_deliveries')
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return { items: rows.map(toDelivery), total };
    },
    async findDispatch(deliveryId) {
      const [row] = await selectDispatch(session, { id: deliveryId });
      if (!row) return null;
      return { delivery: toDelivery(row), url: row.url, sealedSecret: row.sealed_secret };
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
    async recordAttempt(delivery) {
      const row = toDeliveryRow(delivery);
      if ((await updatePending(session, row)).length > 0) return true;
      const heldRow =
        delivery.status === 'delivered' ? row : { ...row, status: 'held', next_attempt_at: null };
      return (await updateHeld(session, heldRow)).length > 0;
    },
    holdDeliveries(webhookId) {
      const pending = session
        .kysely<DeliveryTables>()
        .updateTable('probity_webhook_deliveries')
        .set({ status: 'held', next_attempt_at: null })
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'pending');
      return countChanges(pending);
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

function toDeliveryRow(delivery: Delivery): DeliveryRow {
  return {
    id: delivery.id,
    organization_id: delivery.organizationId,
    webhook_id: delivery.webhookId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: JSON.stringify(delivery.attempts),
    attempt_count: delivery.attemptCount,
    first_attempt_at: delivery.firstAttemptAt?.getTime() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.getTime() ?? null,
    created_at: delivery.createdAt.getTime(),
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    organizationId: row.organization_id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status as DeliveryStatus,
    attempts: toAttempts(row.attempts),
    attemptCount: row.attempt_count,
    firstAttemptAt: toDateOrNull(row.first_attempt_at),
    nextAttemptAt: toDateOrNull(row.next_attempt_at),
    createdAt: toDate(row.created_at),
  };
}

function toAttempts(text: string): DeliveryAttempt[] {
  const stored = JSON.parse(text) as Array<Omit<DeliveryAttempt, 'at'> & { at: string }>;
  return stored.map((attempt) => ({ ...attempt, at: new Date(attempt.at) }));
}
