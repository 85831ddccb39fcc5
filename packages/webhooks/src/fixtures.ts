import type { EventRecord } from '@probity/core';
import { createIds, OUTSIDE_REQUEST } from '@probity/core';
import { newDelivery } from './deliveries/subscriber.ts';
import type { Delivery, DeliveryAttempt, DeliveryRequest } from './deliveries/types.ts';
import type { WebhookStorage, WebhookTransaction } from './storage.ts';
import type { Webhook } from './webhooks/types.ts';

/** Creation time of the fixtures. */
export const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
/** Fifteen seconds after {@link CREATED_AT}. */
export const LATER = new Date('2026-01-01T00:00:15.000Z');

const ids = createIds();

/** An active webhook for alerts; `facts` override members. */
export function newWebhook(organizationId: string, facts: Partial<Webhook> = {}): Webhook {
  return {
    id: ids.next('whk'),
    organizationId,
    url: 'https://example.com/hook',
    events: ['alert.created', 'alert.resolved'],
    format: 'standard',
    active: true,
    activation: 0,
    rateLimit: null,
    ordered: false,
    createdAt: CREATED_AT,
    disabledAt: null,
    disabledReason: null,
    ...facts,
  };
}

/** Stores a webhook under the sealed secret `sealed <id>`. */
export async function insertWebhook(
  storage: WebhookStorage,
  organizationId: string,
  facts?: Partial<Webhook>,
): Promise<Webhook> {
  const webhook = newWebhook(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.insertWebhook(webhook, `sealed ${webhook.id}`),
  );
  return webhook;
}

/** Stores an event, in a transaction of its own or in `open`. */
export async function appendEvent(
  storage: WebhookStorage,
  organizationId: string,
  type: string = 'alert.created',
  open?: WebhookTransaction,
): Promise<EventRecord> {
  const data = { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'A message' } as const;
  const id = ids.next('evt');
  const event = { id, organizationId, type, data, requestId: null, createdAt: CREATED_AT };
  if (open) await open.outbox.append(event);
  else await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.outbox.append(event));
  return event;
}

/** A pending delivery of the event, not stored. */
export function deliveryFixture(
  webhook: Webhook,
  event: EventRecord,
  createdAt = CREATED_AT,
): Delivery {
  return newDelivery(ids, webhook, event, createdAt);
}

/** A successful attempt; `facts` override members. */
export function attemptOf(number: number, facts: Partial<DeliveryAttempt> = {}): DeliveryAttempt {
  const base = { durationMs: 12, responseStatus: 200, responseBody: '', error: null };
  return { number, at: CREATED_AT, ...base, ...facts };
}

/** Stores the state of a delivery after an attempt; returns whether it was stored. */
export async function recordAttempt(
  tx: WebhookTransaction,
  delivery: Delivery,
  request: DeliveryRequest | null,
): Promise<boolean> {
  return (await tx.recordAttempts([{ delivery, request }])).length > 0;
}
