import { EVENT_TYPES, toPageInfo } from '@probity/core';
import { dataList, type Endpoint, endpoint, oneOf, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { DELIVERY_STATUSES, type Delivery } from '../types.ts';
import type { Webhooks } from '../webhooks.ts';

const delivery = z
  .strictObject({
    id: z.string(),
    eventId: z.string(),
    eventType: z.enum(EVENT_TYPES),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(
      z
        .strictObject({
          number: z.int(),
          at: timestamp,
          durationMs: z.number(),
          responseStatus: z.int().nullable(),
          responseBody: z.string().nullable().describe('The first 4 KB.'),
          error: z.string().nullable().describe('Why there was no response.'),
        })
        .meta({ id: 'DeliveryAttempt' }),
    ),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Delivery' });

/** Endpoints over the deliveries of a webhook (contract, section 5). */
export function deliveryEndpoints(webhooks: Webhooks): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook',
      tag: 'Webhooks',
      permission: 'webhooks:read',
      rateLimit: 'general',
      params: z.strictObject({ webhook_id: z.string() }),
      query: pageQuery.extend({
        status: oneOf(DELIVERY_STATUSES).optional(),
        eventType: oneOf(EVENT_TYPES).optional(),
      }),
      responses: {
        200: { description: 'A page of deliveries, newest first', schema: dataList(delivery) },
      },
      async handler({ context, params, query, reply }) {
        const { status, eventType, ...page } = query;
        const filter = { status, eventType };
        const found = await webhooks.listDeliveries(context, params.webhook_id, filter, page);
        const data = found.items.map(toWire);
        return reply(200, { data, ...toPageInfo(page, found.total) });
      },
    }),
  ];
}

function toWire(found: Delivery): z.infer<typeof delivery> {
  return {
    id: found.id,
    eventId: found.eventId,
    eventType: found.eventType,
    status: found.status,
    attempts: found.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    nextAttemptAt: found.nextAttemptAt?.toISOString() ?? null,
    createdAt: found.createdAt.toISOString(),
  };
}
