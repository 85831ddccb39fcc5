import type { MemorySession } from '@probity/core';
import { newestFirst, pageOf } from '@probity/core/internal';
import { WEBHOOKS } from '../webhooks/memory-tables.ts';
import { DELIVERIES } from './memory-tables.ts';
import { countFitting } from './page-size.ts';
import type { DeliveryReads, DeliveryWrites } from './storage.ts';
import type { Delivery } from './types.ts';

/** Reads and writes deliveries in memory. */
export function createDeliveryOperations(session: MemorySession): DeliveryReads & DeliveryWrites {
  const webhooks = () => session.table(WEBHOOKS);
  const deliveries = () => session.table(DELIVERIES);
  return {
    async listDeliveries(webhookId, { status, eventType }, page) {
      const matching = deliveries().filter(
        (row) =>
          row.webhookId === webhookId &&
          (status === undefined || row.status === status) &&
          (eventType === undefined || row.eventType === eventType),
      );
      const { items, total } = pageOf(matching, page, newestFirst);
      const sizes = items.map(({ attempts }) => Buffer.byteLength(JSON.stringify(attempts)));
      return { items: items.slice(0, countFitting(sizes, page.maxBytes)), total };
    },
    async findDispatch(deliveryId) {
      const delivery = deliveries().get(deliveryId);
      const webhook = delivery && webhooks().get(delivery.webhookId);
      return webhook ? { delivery, url: webhook.url, sealedSecret: webhook.sealedSecret } : null;
    },
    async insertDeliveries(added) {
      const inserted: Delivery[] = [];
      for (const delivery of added) {
        const { webhookId, eventId } = delivery;
        const isSame = (row: Delivery) => row.webhookId === webhookId && row.eventId === eventId;
        if (deliveries().filter(isSame).length > 0) continue;
        deliveries().put(delivery.id, delivery);
        inserted.push(delivery);
      }
      return inserted;
    },
    async recordAttempt(delivery) {
      const row = deliveries().get(delivery.id);
      if (row?.status !== 'pending' && row?.status !== 'held') return false;
      const staysHeld = row.status === 'held' && delivery.status !== 'delivered';
      const held = { ...delivery, status: 'held', nextAttemptAt: null } as const;
      deliveries().put(delivery.id, staysHeld ? held : delivery);
      return true;
    },
    async holdDeliveries(webhookId) {
      const pending = deliveries().filter(
        (row) => row.webhookId === webhookId && row.status === 'pending',
      );
      for (const row of pending) {
        deliveries().put(row.id, { ...row, status: 'held', nextAttemptAt: null });
      }
      return pending.length;
    },
    async deleteDeliveriesOf(eventIds, limit) {
      const ofEvents = deliveries().filter(({ eventId }) => eventIds.includes(eventId));
      return ofEvents.slice(0, limit).filter(({ id }) => deliveries().delete(id)).length;
    },
  };
}
