import type { Ids, NewJob } from '@probity/core';
import type { JobWrites } from '@probity/core/internal';
import type { WebhookWrites } from './storage.ts';
import type { Delivery } from './types.ts';

/** The queue of deliveries that wait for an attempt. */
export const DELIVERY_QUEUE = 'webhooks.deliver';

/** The job of a delivery. A webhook is a group, so a slow endpoint holds up its own events only. */
export function deliveryJob(ids: Ids, delivery: Delivery, dueAt: Date): NewJob {
  return {
    id: ids.next('job'),
    queue: DELIVERY_QUEUE,
    group: delivery.webhookId,
    payload: { deliveryId: delivery.id, eventId: delivery.eventId },
    dueAt,
  };
}

/** Holds the pending deliveries of a webhook that was turned off in this transaction. */
export async function withdrawDeliveries(
  tx: Pick<WebhookWrites, 'holdDeliveries'> & Pick<JobWrites, 'dropGroup'>,
  webhookId: string,
): Promise<void> {
  // Jobs first, in the order of a worker that stores a result; else the two could deadlock.
  await tx.dropGroup(DELIVERY_QUEUE, webhookId);
  await tx.holdDeliveries(webhookId);
}
