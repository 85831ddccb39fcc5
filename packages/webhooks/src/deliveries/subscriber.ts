import type { EventRecord, EventSubscriber, Ids, Runtime } from '@probity/core';
import type { WebhookStorage } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import { deliveryJob } from './queue.ts';
import type { Delivery } from './types.ts';

/** Dependencies of the subscriber. */
export interface WebhookSubscriberOptions {
  readonly storage: WebhookStorage;
}

/**
 * Turns each event into one delivery for every active webhook of the organization that lists its
 * type, and a job for each. A repeated event creates no second delivery.
 */
export function createWebhookSubscriber(
  { ids, clock }: Runtime,
  { storage }: WebhookSubscriberOptions,
): EventSubscriber {
  return {
    name: 'webhooks',
    receive: (event, { session }) =>
      storage.transaction({ session }, async (tx) => {
        const now = clock.now();
        const webhooks = await tx.lockSubscribers(event.organizationId, event.type);
        const deliveries = webhooks.map((webhook) => newDelivery(ids, webhook, event, now));
        const inserted = await tx.insertDeliveries(deliveries);
        await tx.enqueueJobs(inserted.map((delivery) => deliveryJob(delivery, now)));
      }),
  };
}

/** A delivery of the event to the webhook, due at `now`. */
export function newDelivery(ids: Ids, webhook: Webhook, event: EventRecord, now: Date): Delivery {
  return {
    id: ids.next('dlv'),
    organizationId: event.organizationId,
    webhookId: webhook.id,
    activation: webhook.activation,
    eventId: event.id,
    eventType: event.type,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    firstAttemptAt: null,
    nextAttemptAt: now,
    createdAt: now,
  };
}
