import type { EventRecord, EventSubscriber, Ids, Runtime } from '@probity/core';
import type { WebhookStorage } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import { deliveryJob } from './queue.ts';
import type { Delivery } from './types.ts';

/** The name of the subscriber, which is also that of its queue of events. */
export const SUBSCRIBER_NAME = 'webhooks';

/** Dependencies of the subscriber. */
export interface WebhookSubscriberOptions {
  readonly storage: WebhookStorage;
}

/** Deliveries of one transaction, which takes about 3 ms on SQLite. */
const PART_SIZE = 16;

/** The cursor before every webhook's id. */
const BEGINNING = '';

/**
 * Turns each event into one delivery for every active webhook of the organization that lists its
 * type, and a job for each. A repeated event creates no second delivery. For more than 16 webhooks it
 * does nothing at first and then 16 at a time, by id, so that what the relay does for an event does
 * not depend on their number.
 */
export function createWebhookSubscriber(
  { ids, clock }: Runtime,
  { storage }: WebhookSubscriberOptions,
): EventSubscriber {
  return {
    name: SUBSCRIBER_NAME,
    receive: (event, { session }, after) =>
      storage.transaction({ session }, async (tx) => {
        const now = clock.now();
        const page = { after: after ?? BEGINNING, limit: PART_SIZE };
        const found = await tx.lockSubscribers(event.organizationId, event.type, page);
        if (found.next !== null && after === undefined) return BEGINNING;
        const deliveries = found.webhooks.map((webhook) => newDelivery(ids, webhook, event, now));
        const inserted = await tx.insertDeliveries(deliveries);
        const ordered = new Set(found.webhooks.filter((each) => each.ordered).map(({ id }) => id));
        // Ordered ones are due like their events, by which they are then sorted.
        const dueAt = ({ webhookId }: Delivery) => (ordered.has(webhookId) ? event.createdAt : now);
        await tx.enqueueJobs(inserted.map((delivery) => deliveryJob(delivery, dueAt(delivery))));
        return found.next ?? undefined;
      }),
  };
}

/** What a delivery takes from its event. */
type DeliveredEvent = Pick<EventRecord, 'id' | 'type' | 'isTest'>;

/**
 * A delivery of the event to the webhook, due at `now`.
 * @param replayId the replay that sends it
 */
export function newDelivery(
  ids: Ids,
  webhook: Webhook,
  event: DeliveredEvent,
  now: Date,
  replayId: string | null = null,
): Delivery {
  return {
    id: ids.next('dlv'),
    organizationId: webhook.organizationId,
    webhookId: webhook.id,
    activation: webhook.activation,
    eventId: event.id,
    eventType: event.type,
    replayId,
    isTest: event.isTest ?? false,
    status: 'pending',
    attempts: [],
    attemptCount: 0,
    firstAttemptAt: null,
    nextAttemptAt: now,
    pendingSince: now,
    createdAt: now,
  };
}
