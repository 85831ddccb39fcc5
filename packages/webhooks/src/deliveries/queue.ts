import type { NewJob } from '@probity/core';
import type { Delivery } from './types.ts';

/** The queue of deliveries that wait for an attempt. */
export const DELIVERY_QUEUE = 'webhooks.deliver';

/**
 * The job of a delivery, with the delivery's id. A webhook is a job group, so a slow endpoint delays
 * only its own events.
 */
export function deliveryJob(delivery: Delivery, dueAt: Date): NewJob {
  return {
    id: delivery.id,
    queue: DELIVERY_QUEUE,
    tenantId: delivery.organizationId,
    group: delivery.webhookId,
    payload: { deliveryId: delivery.id, eventId: delivery.eventId },
    dueAt,
  };
}
