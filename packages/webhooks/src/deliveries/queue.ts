import type { Ids, NewJob } from '@probity/core';
import type { WebhookTransaction } from '../storage.ts';
import type { Delivery } from './types.ts';

/** The queue of deliveries that wait for an attempt. */
export const DELIVERY_QUEUE = 'webhooks.deliver';

/** The job of a delivery. A webhook is a job group, so a slow endpoint delays only its own events. */
export function deliveryJob(ids: Ids, delivery: Delivery, dueAt: Date): NewJob {
  return {
    id: ids.next('job'),
    queue: DELIVERY_QUEUE,
    tenantId: delivery.organizationId,
    group: delivery.webhookId,
    payload: { deliveryId: delivery.id, eventId: delivery.eventId },
    dueAt,
  };
}

/** Removes the jobs of a webhook's deliveries; a job that is already running ends by itself. */
export async function dropDeliveryJobs(
  tx: WebhookTransaction,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  await tx.dropGroup(DELIVERY_QUEUE, organizationId, webhookId);
}

/** Holds the pending deliveries of a webhook that was turned off in this transaction. */
export async function withdrawDeliveries(
  tx: WebhookTransaction,
  organizationId: string,
  webhookId: string,
): Promise<void> {
  // Jobs first, the lock order of a worker that stores a result; else the two could deadlock.
  await dropDeliveryJobs(tx, organizationId, webhookId);
  await tx.holdDeliveries(webhookId);
}
