import type { NewJob } from '@probity/core';
import type { JobGroup } from '@probity/core/internal';
import type { Webhook } from '../webhooks/types.ts';
import type { Delivery } from './types.ts';

/** The queue of deliveries that wait for an attempt. */
export const DELIVERY_QUEUE = 'webhooks.deliver';

/** The group of the jobs of a webhook's deliveries. */
export function deliveryGroup({
  organizationId,
  id,
}: Pick<Webhook, 'organizationId' | 'id'>): JobGroup {
  return { queue: DELIVERY_QUEUE, tenantId: organizationId, group: id };
}

/** The facts of a delivery that its job has. */
export type QueuedDelivery = Pick<
  Delivery,
  'id' | 'organizationId' | 'webhookId' | 'eventId' | 'replayId'
>;

/**
 * The job of a delivery, with the delivery's id. A webhook is a job group, so a slow endpoint delays
 * only its own events, and its rules hold for replayed events too, few of which are due at a time.
 */
export function deliveryJob(delivery: QueuedDelivery, dueAt: Date): NewJob {
  return {
    ...deliveryGroup({ organizationId: delivery.organizationId, id: delivery.webhookId }),
    id: delivery.id,
    payload: { deliveryId: delivery.id, eventId: delivery.eventId },
    dueAt,
  };
}
