import type { CallContext, EventRecord, Page, PageOf, Runtime } from '@probity/core';
import { notFound, ProbityError, validationError } from '@probity/core';
import { validate } from '@probity/core/internal';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { PROBITY_EVENTS, unknownTypeMessage } from '../events/catalog.ts';
import { pageInput } from '../page-input.ts';
import { statsSince, toStats } from '../stats/stats.ts';
import type { AttemptStats } from '../stats/types.ts';
import type { WebhookStorage } from '../storage.ts';
import { requireWebhookOf } from '../webhooks/require-webhook.ts';
import type { WebhookReads } from '../webhooks/storage.ts';
import { toBody } from './body.ts';
import { deliveryFilterMembers } from './input.ts';
import { deliveryJob } from './queue.ts';
import { restart } from './restart.ts';
import { newDelivery } from './subscriber.ts';
import type { Delivery, DeliveryFilter, DeliveryRecord } from './types.ts';

/** A delivery with the event, the request of its last attempt and its body. */
export interface DeliveryDetail extends DeliveryRecord {
  readonly event: EventRecord;
  /** The body of the last attempt; before the first attempt, the body of the next one. */
  readonly body: string;
}

/** The deliveries of webhooks. */
export interface Deliveries {
  /**
   * The webhook's deliveries, newest first. A page whose attempts exceed {@link MAX_PAGE_BYTES} has
   * fewer deliveries than `limit`.
   *
   * @throws ProbityError `not_found` when the organization has no such webhook
   */
  list(
    context: CallContext,
    webhookId: string,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<PageOf<Delivery>>;
  /** @throws ProbityError `not_found` when the organization has no such webhook, or it no such delivery */
  get(context: CallContext, webhookId: string, deliveryId: string): Promise<DeliveryDetail>;
  /**
   * Sends the sample of an event type to this webhook alone, whether or not it is on or lists the type.
   * The delivery is retried like any other, and never disables the webhook.
   * @param eventType default: the first that the webhook lists
   * @throws ProbityError `not_found` when the organization has no such webhook, `validation_failed`
   *   for a type that is not in the catalog
   */
  sendTest(context: CallContext, webhookId: string, eventType?: string): Promise<Delivery>;
  /**
   * Sends a delivery again that is not pending, whether or not the webhook is on: further attempts by the
   * retry profile from its beginning, kept with those before.
   * @throws ProbityError `not_found` as for `get`; `conflict` when it is pending, or an attempt is in
   *   progress
   */
  redeliver(context: CallContext, webhookId: string, deliveryId: string): Promise<Delivery>;
  /** @throws ProbityError `not_found` when the organization has no such webhook */
  stats(context: CallContext, webhookId: string): Promise<AttemptStats>;
}

/** Largest size of the attempts of a page as JSON; the answer stays below 1 MB. */
const MAX_PAGE_BYTES = 900_000;

/** Dependencies of the service beside a runtime. */
export interface DeliveryOptions {
  readonly storage: WebhookStorage;
  /** The event types that a test may have; default {@link PROBITY_EVENTS}. */
  readonly eventTypes?: EventCatalog | undefined;
}

/** Creates the delivery service. */
export function createDeliveries(
  { database, ids, clock, audit }: Runtime,
  { storage, eventTypes = PROBITY_EVENTS }: DeliveryOptions,
): Deliveries {
  const filterInput = z.strictObject(deliveryFilterMembers(eventTypes));
  const requireWebhook = (context: CallContext, webhookId: string, reads: WebhookReads = storage) =>
    requireWebhookOf(context, webhookId, reads);

  return {
    async list(context, webhookId, givenFilter, givenPage) {
      const filter = validate(filterInput, givenFilter, 'filter');
      const page = validate(pageInput, givenPage, 'page');
      await requireWebhook(context, webhookId);
      return storage.listDeliveries(webhookId, filter, { ...page, maxBytes: MAX_PAGE_BYTES });
    },

    async get(context, webhookId, deliveryId) {
      const webhook = await requireWebhook(context, webhookId);
      const found = await storage.findDelivery(webhookId, deliveryId);
      const event =
        found && (await database.kernel(database.reader).findEvent(found.delivery.eventId));
      if (!event) throw notFound('delivery');
      const { format } = found.lastRequest ?? webhook;
      return { ...found, event, body: toBody(event, format) };
    },

    async sendTest(context, webhookId, eventType) {
      const { organizationId } = context.principal;
      // Under the lock, so that the webhook is not turned off between the read and the insertion.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const webhook = await requireWebhook(context, webhookId, tx);
        const now = clock.now();
        const event: EventRecord = {
          id: ids.next('evt'),
          organizationId,
          ...sampleOf(eventTypes, eventType ?? webhook.events[0] ?? ''),
          requestId: context.requestId,
          createdAt: now,
          isTest: true,
        };
        const delivery = newDelivery(ids, webhook, event, now);
        await tx.insertEvent(event);
        await tx.insertDeliveries([delivery]);
        await tx.enqueueJobs([deliveryJob(delivery, now)]);
        const after = { deliveryId: delivery.id, eventType: event.type };
        await audit.record(tx, context, 'webhook.tested', targetOf(webhookId), { after });
        return delivery;
      });
    },

    async redeliver(context, webhookId, deliveryId) {
      const { organizationId } = context.principal;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        await requireWebhook(context, webhookId, tx);
        const found = await tx.findDelivery(webhookId, deliveryId);
        if (!found) throw notFound('delivery');
        if (found.delivery.status === 'pending') throw stillPending();
        const delivery = await restart(tx, { ...found.delivery, replayId: null }, clock.now());
        if (!delivery) throw stillPending();
        const after = { deliveryId, eventId: delivery.eventId };
        await audit.record(tx, context, 'webhook.redelivered', targetOf(webhookId), { after });
        return delivery;
      });
    },

    async stats(context, webhookId) {
      await requireWebhook(context, webhookId);
      const now = clock.now();
      return toStats(await storage.listAttemptCounts(webhookId, statsSince(now)), now);
    },
  };
}

function stillPending(): ProbityError {
  return new ProbityError('conflict', 'The delivery is pending; send it again once it has ended.');
}

function targetOf(webhookId: string) {
  return { type: 'webhook', id: webhookId };
}

function sampleOf(catalog: EventCatalog, type: string): Pick<EventRecord, 'type' | 'data'> {
  const definition = Object.hasOwn(catalog, type) ? catalog[type] : undefined;
  if (!definition) throw validationError({ field: 'type', message: unknownTypeMessage(catalog) });
  return { type, data: definition.example };
}
