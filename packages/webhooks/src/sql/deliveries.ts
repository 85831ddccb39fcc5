import { insertMany, prepareQuery, type SqlSession } from '@probity/core/sql';
import type { WebhookReads, WebhookWrites } from '../storage.ts';
import { toDelivery, toDeliveryRow } from './rows.ts';
import type { DeliveryRow, WebhookTables } from './tables.ts';

type DispatchRow = DeliveryRow & { url: string; sealed_secret: string };
type AttemptState = Pick<
  DeliveryRow,
  'id' | 'status' | 'attempts' | 'attempt_count' | 'first_attempt_at' | 'next_attempt_at'
>;

const selectDispatch = prepareQuery<WebhookTables, { id: string }, DispatchRow>((db, value) =>
  db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .selectAll('d')
    .select(['w.url', 'w.sealed_secret'])
    .where('d.id', '=', value('id')),
);

const updateWhere = (expected: 'pending' | 'held') =>
  prepareQuery<WebhookTables, AttemptState, { id: string }>((db, value) =>
    db
      .updateTable('webhook_deliveries')
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

/** Reads of deliveries on a SQL session. */
export function createDeliveryReads(
  session: SqlSession,
): Pick<WebhookReads, 'listDeliveries' | 'findDispatch'> {
  const db = () => session.kysely<WebhookTables>();
  return {
    async listDeliveries(webhookId, { status, eventType }, { limit, offset }) {
      let matching = db().selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId);
      if (status !== undefined) matching = matching.where('status', '=', status);
      if (eventType !== undefined) matching = matching.where('event_type', '=', eventType);
      const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
      const rows = await newest.limit(limit).offset(offset).execute();
      const { count } = await matching
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(toDelivery), total: Number(count) };
    },
    async findDispatch(deliveryId) {
      const [row] = await selectDispatch(session, { id: deliveryId });
      if (!row) return null;
      return { delivery: toDelivery(row), url: row.url, sealedSecret: row.sealed_secret };
    },
  };
}

/** Changes of deliveries on a SQL session. */
export function createDeliveryWrites(
  session: SqlSession,
): Pick<WebhookWrites, 'insertDeliveries' | 'recordAttempt' | 'holdDeliveries'> {
  return {
    async insertDeliveries(deliveries) {
      const rows = await insertMany(session, 'webhook_deliveries', deliveries.map(toDeliveryRow), {
        onConflictDoNothing: ['event_id', 'webhook_id'],
        returning: ['id'],
      });
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
    async holdDeliveries(webhookId) {
      const { numUpdatedRows } = await session
        .kysely<WebhookTables>()
        .updateTable('webhook_deliveries')
        .set({ status: 'held', next_attempt_at: null })
        .where('webhook_id', '=', webhookId)
        .where('status', '=', 'pending')
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}
