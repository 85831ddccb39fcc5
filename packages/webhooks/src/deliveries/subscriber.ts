import type { EventRecord, EventSubscriber, Ids, Runtime } from '@probity/core';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { FoundSubscribers } from '../webhooks/storage.ts';
import { toSubscriberPage } from '../webhooks/subscriber-page.ts';
import type { Webhook } from '../webhooks/types.ts';
import { deliveryJob } from './queue.ts';
import type { Delivery } from './types.ts';

/** The name of the subscriber, which is also that of its queue of events. */
export const SUBSCRIBER_NAME = 'webhooks';

/** Dependencies of the subscriber. */
export interface WebhookSubscriberOptions {
  readonly storage: WebhookStorage;
}

/** Deliveries of one part, which take about 3 ms on SQLite. */
const PART_SIZE = 16;

/** Deliveries made for events that come together; of the others the parts are made later. */
const MAX_TOGETHER = 64;

/** The cursor before every webhook's id. */
const BEGINNING = '';

/** A delivery that is to be stored, with what its job needs. */
interface PlannedDelivery {
  readonly delivery: Delivery;
  readonly dueAt: Date;
}

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
  const plan = (event: EventRecord, webhooks: readonly Webhook[], now: Date): PlannedDelivery[] =>
    webhooks.map((webhook) => ({
      delivery: newDelivery(ids, webhook, event, now),
      // Ordered ones are due like their events, by which they are then sorted.
      dueAt: webhook.ordered ? event.createdAt : now,
    }));
  return {
    name: SUBSCRIBER_NAME,
    receive: (event, { session }, after) =>
      storage.transaction({ session }, async (tx) => {
        const page = { after: after ?? BEGINNING, limit: PART_SIZE };
        const found = await tx.lockSubscribers(event.organizationId, [event.type], page);
        if (found.next !== null && after === undefined) return BEGINNING;
        await store(tx, plan(event, found.webhooks, clock.now()));
        return found.next ?? undefined;
      }),
    receiveAll: (events, { session }) =>
      storage.transaction({ session }, async (tx) => {
        const now = clock.now();
        const planned: PlannedDelivery[] = [];
        const cursors: Array<string | undefined> = [];
        for (const [event, { webhooks, next }] of await subscribersOf(tx, events)) {
          const isLater = next !== null || planned.length + webhooks.length > MAX_TOGETHER;
          cursors.push(isLater ? BEGINNING : undefined);
          if (!isLater) planned.push(...plan(event, webhooks, now));
        }
        await store(tx, planned);
        return cursors;
      }),
  };
}

/** The first page of the subscribers of each event, looked up at once for those of an organization. */
async function subscribersOf(
  tx: WebhookTransaction,
  events: readonly EventRecord[],
): Promise<Array<[EventRecord, FoundSubscribers]>> {
  const typesOf = new Map<string, Set<string>>();
  for (const { organizationId, type } of events) {
    typesOf.set(organizationId, (typesOf.get(organizationId) ?? new Set()).add(type));
  }
  const pages = new Map<string, ReadonlyMap<string, FoundSubscribers>>();
  // In one order, so that two relays do not wait for each other.
  for (const [organizationId, types] of [...typesOf].sort(([left], [right]) =>
    left < right ? -1 : 1,
  )) {
    pages.set(organizationId, await pagesByType(tx, organizationId, [...types]));
  }
  return events.map((event) => {
    const page = pages.get(event.organizationId)?.get(event.type);
    return [event, page ?? { webhooks: [], next: null }];
  });
}

/** The first page of the subscribers of each type. */
async function pagesByType(
  tx: WebhookTransaction,
  organizationId: string,
  types: readonly string[],
): Promise<ReadonlyMap<string, FoundSubscribers>> {
  const pages = new Map<string, FoundSubscribers>();
  const all = await tx.lockSubscribers(organizationId, types, {
    after: BEGINNING,
    limit: MAX_TOGETHER,
  });
  for (const type of types) {
    const found = all.webhooks.filter(({ events }) => events.includes(type));
    const isComplete = all.next === null || found.length > PART_SIZE;
    const page = isComplete
      ? toSubscriberPage(found, PART_SIZE)
      : await tx.lockSubscribers(organizationId, [type], { after: BEGINNING, limit: PART_SIZE });
    pages.set(type, page);
  }
  return pages;
}

async function store(tx: WebhookTransaction, planned: readonly PlannedDelivery[]): Promise<void> {
  const inserted = await tx.insertDeliveries(planned.map(({ delivery }) => delivery));
  const ids = new Set(inserted.map(({ id }) => id));
  const jobs = planned
    .filter(({ delivery }) => ids.has(delivery.id))
    .map(({ delivery, dueAt }) => deliveryJob(delivery, dueAt));
  await tx.enqueueJobs(jobs);
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
