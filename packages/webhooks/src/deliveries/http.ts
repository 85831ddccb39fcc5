import type { Page, PageOf } from '@probity/core';
import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, endpoint, oneOf, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeSchema } from '../events/http.ts';
import type { Deliveries } from './deliveries.ts';
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

/** A delivery on the wire. */
function deliverySchema(eventTypes: EventCatalog) {
  return z
    .strictObject({
      id: z.string(),
      eventId: z.string(),
      eventType: eventTypeSchema(eventTypes),
      status: z.enum(DELIVERY_STATUSES),
      attempts: z.array(attempt),
      nextAttemptAt: timestamp.nullable().describe('Null when no attempt is scheduled.'),
      createdAt: timestamp,
    })
    .meta({ id: 'Delivery' });
}

/** Declares the endpoints for deliveries of a webhook (contract, section 5). */
export function deliveryEndpoints(deliveries: Deliveries, eventTypes: EventCatalog): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      description:
        'Lists the deliveries with their attempts. Deliveries are kept for 90 days. A page whose ' +
        'attempts exceed 900,000 bytes has fewer deliveries: `limit` is then their number, and the ' +
        'next page starts at `offset` plus `limit`.',
      tag: 'Webhooks',
      permission: 'webhooks:read',
      rateLimit: 'general',
      params: z.strictObject({ webhook_id: z.string() }),
      query: pageQuery.extend({
        status: oneOf(DELIVERY_STATUSES).optional(),
        eventType: eventTypeSchema(eventTypes).optional(),
      }),
      responses: {
        200: {
          description: 'A page of deliveries, newest first',
          schema: dataList(deliverySchema(eventTypes)),
        },
      },
      async handler({ context, params, query, reply }) {
        const { status, eventType, ...page } = query;
        const filter = { status, eventType };
        const found = await deliveries.list(context, params.webhook_id, filter, page);
        return reply(200, { data: found.items.map(toWire), ...toInfo(page, found) });
      },
    }),
  ];
}

/** A page that is shorter than asked for has the limit that a client needs for the next page. */
function toInfo(page: Page, { items, total }: PageOf<Delivery>): ReturnType<typeof toPageInfo> {
  const isCut = items.length > 0 && page.offset + items.length < total;
  return toPageInfo(isCut ? { ...page, limit: items.length } : page, total);
}

function toWire(delivery: Delivery): z.infer<ReturnType<typeof deliverySchema>> {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts.map((each) => ({ ...each, at: each.at.toISOString() })),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  };
}
