import type { NewJob } from '@probity/core';
import type { Delivery } from './types.ts';

/** The queue of deliveries that wait for an attempt. */
export const DELIVERY_QUEUE = 'webhooks.deliver';

/** The facts of a delivery that its job has. */
export type QueuedDelivery = Pick<
  Delivery,
  'id' | 'organizationId' | 'webhookId' | 'eventId' | 'replayId'
>;

/**
 * The job of a delivery, with the delivery's id. A webhook is a job group, so a slow endpoint delays
 * only its own events. A replay is a group beside that of its webhook: an event that happens meanwhile takes
 * its turn and does not wait for the replayed ones before it.
 */
export function deliveryJob(delivery: QueuedDelivery, dueAt: Date): NewJob {
  return {
    id: delivery.id,
    queue: DELIVERY_QUEUE,
    tenantId: delivery.organizationId,
    group: delivery.replayId ?? delivery.webhookId,
    payload: { deliveryId: delivery.id, eventId: delivery.eventId },
    dueAt,
  };
}
