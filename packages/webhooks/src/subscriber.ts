import type { Clock, EventRecord, EventSubscriber, Ids } from '@probity/core';
import { deliveryJob } from './delivery-queue.ts';
import type { WebhookStorage } from './storage.ts';
import type { Delivery, Webhook } from './types.ts';

/** What the subscriber needs. */
export interface WebhookSubscriberDependencies {
  readonly storage: WebhookStorage;
  readonly ids: Ids;
  readonly clock: Clock;
}

/**
 * Turns each event into one delivery for every active webhook of the organization that lists its
 * type, and a job for each. An event that comes again makes no second delivery.
 */
export function createWebhookSubscriber(
  dependencies: WebhookSubscriberDependencies,
): EventSubscriber {
  const { storage, ids, clock } = dependencies;
  return (event, { session }) =>
    storage.transaction({ session }, async (tx) => {
      const now = clock.now();
      const webhooks = await tx.lockSubscribers(event.organizationId, event.type);
      const deliveries = webhooks.map((webhook) => newDelivery(ids, webhook, event, now));
      const inserted = await tx.insertDeliveries(deliveries);
      await tx.enqueueJobs(inserted.map((delivery) => deliveryJob(ids, delivery, now)));
    });
}

function newDelivery(ids: Ids, webhook: Webhook, event: EventRecord, now: Date): Delivery {
  return {
    id: ids.next('dlv'),
    organizationId: event.organizationId,
    webhookId: webhook.id,
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
