import type { Page, PageOf } from '@probity/core';
import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeSchema } from '../events/catalog.ts';
import { portalOfWebhook } from '../portal/access.ts';
import type { Deliveries, DeliveryDetail } from './deliveries.ts';
import { deliveryFilterMembers } from './input.ts';
import type { Delivery } from './types.ts';
import { DELIVERY_STATUSES } from './types.ts';

const attempt = z
  .strictObject({
    number: z.int().positive(),
    at: timestamp,
    durationMs: z.number().nonnegative(),
    responseStatus: z.int().nonnegative().nullable(),
    responseBody: z.string().nullable().describe('The first 4 KB of the response body.'),
    error: z.string().nullable().describe('Reason for a missing response.'),
  })
  .meta({ id: 'DeliveryAttempt' });

const request = z
  .strictObject({
    url: z.string().meta({ format: 'uri' }),
    headers: z.record(z.string(), z.string()).describe('By names in lower case.'),
  })
  .meta({ id: 'DeliveryRequest' });

/** The schemas of deliveries; events are of the types of the catalog. */
function createSchemas(eventTypes: EventCatalog) {
  const delivery = z
    .strictObject({
      id: z.string(),
      eventId: z.string(),
      eventType: eventTypeSchema(eventTypes),
      test: z.boolean().describe('Whether it is a test: its failures do not disable the webhook.'),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.array(attempt),
      nextAttemptAt: timestamp.nullable().describe('Null when no attempt is scheduled.'),
      createdAt: timestamp,
    })
    .meta({ id: 'Delivery' });
  const detail = delivery
    .extend({
      request: request
        .nullable()
        .describe('The request of the last attempt; null before the first.'),
      body: z
        .string()
        .describe(
          'The request body of the last attempt; before the first attempt, the body of the next one.',
        ),
    })
    .meta({ id: 'DeliveryDetail' });
  const type = eventTypeSchema(eventTypes)
    .optional()
    .describe('Default: the first event type of the webhook.');
  const test = z.strictObject({ type }).meta({ id: 'WebhookTest' }).optional();
  return { delivery, detail, test };
}

type Schemas = ReturnType<typeof createSchemas>;

const shared = { tag: 'Webhooks', rateLimit: 'general' } as const;

/** Declares the endpoints for deliveries of a webhook (contract, section 5). */
export function deliveryEndpoints(deliveries: Deliveries, eventTypes: EventCatalog): Endpoint[] {
  const schemas = createSchemas(eventTypes);
  return [
    listEndpoint(deliveries, eventTypes, schemas),
    testEndpoint(deliveries, schemas),
    ...itemEndpoints(deliveries, schemas),
  ];
}

function listEndpoint(
  deliveries: Deliveries,
  eventTypes: EventCatalog,
  { delivery }: Schemas,
): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description:
      'Lists the deliveries with their attempts. Deliveries are kept for 90 days. A page whose ' +
      'attempts exceed 900,000 bytes has fewer deliveries: `limit` is then their number, and the ' +
      'next page starts at `offset` plus `limit`.',
    permission: 'webhooks:read',
    scoped: portalOfWebhook('attempts'),
    params: z.strictObject({ webhook_id: z.string() }),
    query: pageQuery.extend(deliveryFilterMembers(eventTypes)),
    responses: {
      200: { description: 'A page of deliveries, newest first', schema: dataList(delivery) },
    },
    async handler({ context, params, query, reply }) {
      const { status, eventType, ...page } = query;
      const filter = { status, eventType };
      const found = await deliveries.list(context, params.webhook_id, filter, page);
      return reply(200, { data: found.items.map(toWire), ...toInfo(page, found) });
    },
  });
}

function testEndpoint(deliveries: Deliveries, { delivery, test }: Schemas): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks/{webhook_id}/test',
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends the sample of an event type to this webhook alone, as a delivery with the header ' +
      '`webhook-test: true`. It is sent and retried also while the webhook is off, and its failures ' +
      'never disable the webhook.',
    permission: 'webhooks:write',
    scoped: portalOfWebhook('attempts'),
    params: z.strictObject({ webhook_id: z.string() }),
    body: test,
    responses: {
      202: { description: 'The delivery, still pending', schema: dataObject(delivery) },
    },
    async handler({ context, params, body, reply }) {
      const sent = await deliveries.sendTest(context, params.webhook_id, body?.type);
      return reply(202, { data: toWire(sent) });
    },
  });
}

function itemEndpoints(deliveries: Deliveries, { delivery, detail }: Schemas): Endpoint[] {
  const params = z.strictObject({ webhook_id: z.string(), delivery_id: z.string() });
  const path = '/webhooks/{webhook_id}/deliveries/{delivery_id}';
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path,
      params,
      operationId: 'getWebhookDelivery',
      summary: 'Get a delivery with its event',
      description:
        'Returns one delivery with every attempt, the body that is sent, and the headers of the last ' +
        'attempt, signatures included, without those of the connection.',
      permission: 'webhook_payloads:read',
      scoped: portalOfWebhook('attempts'),
      responses: { 200: { description: 'The delivery', schema: dataObject(detail) } },
      async handler({ context, params: { webhook_id, delivery_id }, reply }) {
        const found = await deliveries.get(context, webhook_id, delivery_id);
        return reply(200, { data: toDetailWire(found) });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/redeliver`,
      params,
      operationId: 'redeliverWebhookDelivery',
      summary: 'Send a delivery again',
      description:
        'Sends the same event again, whether the delivery is delivered, failed or held, and also while ' +
        'the webhook is off. Attempts follow the retry schedule from its beginning and are added to ' +
        'those of the delivery. While it is pending, or an attempt is in progress, the answer is 409.',
      permission: 'webhooks:write',
      scoped: portalOfWebhook('attempts'),
      responses: {
        202: { description: 'The delivery, pending again', schema: dataObject(delivery) },
      },
      errors: ['conflict'],
      async handler({ context, params: { webhook_id, delivery_id }, reply }) {
        const sent = await deliveries.redeliver(context, webhook_id, delivery_id);
        return reply(202, { data: toWire(sent) });
      },
    }),
  ];
}

/** A page that is shorter than asked for has the limit that a client needs for the next page. */
function toInfo(page: Page, { items, total }: PageOf<Delivery>): ReturnType<typeof toPageInfo> {
  const isCut = items.length > 0 && page.offset + items.length < total;
  return toPageInfo(isCut ? { ...page, limit: items.length } : page, total);
}

function toWire(delivery: Delivery): z.infer<Schemas['delivery']> {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    test: delivery.isTest,
    status: delivery.status,
    attempts: delivery.attempts.map((each) => ({ ...each, at: each.at.toISOString() })),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  };
}

function toDetailWire(detail: DeliveryDetail): z.infer<Schemas['detail']> {
  const { delivery, lastRequest, body } = detail;
  const request = lastRequest && { url: lastRequest.url, headers: { ...lastRequest.headers } };
  return { ...toWire(delivery), request, body };
}
