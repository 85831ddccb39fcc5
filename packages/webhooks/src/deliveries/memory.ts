import type { MemorySession } from '@probity/core';
import { newestFirst, pageOf } from '@probity/core/internal';
import { formerSecretsOf } from '../secrets/memory.ts';
import { WEBHOOKS } from '../webhooks/memory-tables.ts';
import type { StoredDelivery } from './memory-tables.ts';
import { DELIVERIES } from './memory-tables.ts';
import { countFitting } from './page-size.ts';
import type { DeliveryReads, DeliveryWrites } from './storage.ts';
import type { Delivery } from './types.ts';

/** Reads and writes deliveries in memory. */
export function createDeliveryOperations(session: MemorySession): DeliveryReads & DeliveryWrites {
  const webhooks = () => session.table(WEBHOOKS);
  const deliveries = () => session.table(DELIVERIES);
  const isWithdrawn = ({ status, webhookId, activation }: Delivery) =>
    status === 'pending' && activation < (webhooks().get(webhookId)?.activation ?? 0);
  const asRead = ({ lastRequest: _, ...delivery }: StoredDelivery): Delivery =>
    isWithdrawn(delivery) ? toHeld(delivery) : delivery;
  return {
    async listDeliveries(webhookId, { status, eventType }, page) {
      const isDeleted = webhooks().get(webhookId)?.isDeleted ?? true;
      const own = isDeleted ? [] : deliveries().filter((row) => row.webhookId === webhookId);
      const matching = own
        .map(asRead)
        .filter(
          (row) =>
            (status === undefined || row.status === status) &&
            (eventType === undefined || row.eventType === eventType),
        );
      const { items, total } = pageOf(matching, page, newestFirst);
      const sizes = items.map(({ attempts }) => Buffer.byteLength(JSON.stringify(attempts)));
      return { items: items.slice(0, countFitting(sizes, page.maxBytes)), total };
    },
    async findDelivery(webhookId, deliveryId) {
      const row = deliveries().get(deliveryId);
      const isFound =
        row?.webhookId === webhookId && webhooks().get(webhookId)?.isDeleted === false;
      return isFound ? { delivery: asRead(row), lastRequest: row.lastRequest } : null;
    },
    async findDispatches(deliveryIds) {
      return deliveryIds.flatMap((deliveryId) => {
        const row = deliveries().get(deliveryId);
        const webhook = row && webhooks().get(row.webhookId);
        if (!webhook || webhook.isDeleted) return [];
        const { url, format, sealedSecret } = webhook;
        const secrets = { sealedSecret, former: formerSecretsOf(session, row.webhookId) };
        return [{ delivery: asRead(row), url, format, secrets }];
      });
    },
    async insertDeliveries(added) {
      const inserted: Delivery[] = [];
      for (const delivery of added) {
        const { webhookId, eventId } = delivery;
        const isSame = (row: Delivery) => row.webhookId === webhookId && row.eventId === eventId;
        if (deliveries().filter(isSame).length > 0) continue;
        deliveries().put(delivery.id, { ...delivery, lastRequest: null });
        inserted.push(delivery);
      }
      return inserted;
    },
    async recordAttempts(records) {
      return records.flatMap(({ delivery, request }) => {
        const row = deliveries().get(delivery.id);
        if (row?.status !== 'pending' && row?.status !== 'held') return [];
        const staysHeld = row.status === 'held' && delivery.status === 'pending';
        const after = staysHeld ? toHeld(delivery) : delivery;
        deliveries().put(delivery.id, { ...after, lastRequest: request ?? row.lastRequest });
        return [delivery.id];
      });
    },
    async failDelivery(deliveryId) {
      const row = deliveries().get(deliveryId);
      if (row?.status !== 'pending') return;
      deliveries().put(deliveryId, { ...row, status: 'failed', nextAttemptAt: null });
    },
    async restartDelivery(deliveryId, at, replayId) {
      const row = deliveries().get(deliveryId);
      const webhook = row && webhooks().get(row.webhookId);
      if (!webhook || asRead(row).status === 'pending') return null;
      const started = { activation: webhook.activation, attemptCount: 0, firstAttemptAt: null };
      const restarted: StoredDelivery = {
        ...row,
        ...started,
        replayId,
        status: 'pending',
        nextAttemptAt: at,
        pendingSince: at,
      };
      deliveries().put(deliveryId, restarted);
      return asRead(restarted);
    },
    async findWithdrawn(webhookId, limit) {
      const isDeleted = webhooks().get(webhookId)?.isDeleted ?? false;
      const found = deliveries().filter(
        (row) => row.webhookId === webhookId && (isDeleted || isWithdrawn(row)),
      );
      return { isDeleted, deliveryIds: found.slice(0, limit).map(({ id }) => id) };
    },
    async holdDeliveries(ids) {
      for (const id of ids) {
        const row = deliveries().get(id);
        if (row?.status === 'pending') deliveries().put(id, toHeld(row));
      }
    },
    async deleteDeliveries(ids) {
      for (const id of ids) deliveries().delete(id);
    },
    async deleteDeliveriesOf(eventIds, limit) {
      const ofEvents = deliveries().filter(({ eventId }) => eventIds.includes(eventId));
      return ofEvents.slice(0, limit).filter(({ id }) => deliveries().delete(id)).length;
    },
  };
}

function toHeld<Row extends Delivery>(delivery: Row): Row {
  return { ...delivery, status: 'held', nextAttemptAt: null };
}
