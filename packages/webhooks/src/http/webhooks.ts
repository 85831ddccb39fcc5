import { EVENT_TYPES, toPageInfo } from '@probity/core';
import {
  dataList,
  dataObject,
  type Endpoint,
  endpoint,
  oneOf,
  pageQuery,
  timestamp,
} from '@probity/core/koa';
import { z } from 'zod';
import type { Webhook } from '../types.ts';
import type { Webhooks } from '../webhooks.ts';

const webhook = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    active: z.boolean(),
    createdAt: timestamp,
    disabledAt: timestamp.nullable().describe('When failing deliveries turned the webhook off.'),
    disabledReason: z.string().nullable(),
  })
  .meta({ id: 'Webhook' });

const issuedWebhook = webhook
  .extend({
    secret: z.string().describe('Signs the deliveries; shown this once.'),
  })
  .meta({ id: 'IssuedWebhook' });

const fields = {
  url: z.string().describe('https only; a public address; at most 2,048 characters.'),
  events: z.array(oneOf(EVENT_TYPES)).min(1, 'must name at least one event type'),
  active: z.boolean(),
};

const newWebhook = z
  .strictObject({
    url: fields.url,
    events: fields.events,
    active: fields.active.optional().describe('Default true.'),
  })
  .meta({ id: 'NewWebhook' });

const webhookChanges = z
  .strictObject({
    url: fields.url.optional(),
    events: fields.events.optional(),
    active: fields.active.optional().describe('True also clears disabledAt and disabledReason.'),
  })
  .meta({ id: 'WebhookChanges' });

const shared = { tag: 'Webhooks', rateLimit: 'general' } as const;
const params = z.strictObject({ webhook_id: z.string() });

/** Endpoints over webhooks (specification, "Webhooks"). */
export function webhookResourceEndpoints(webhooks: Webhooks): Endpoint[] {
  return [...collectionEndpoints(webhooks), ...itemEndpoints(webhooks)];
}

function collectionEndpoints(webhooks: Webhooks): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/webhooks',
      aliases: ['/webhooks/create'],
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      permission: 'webhooks:write',
      body: newWebhook,
      responses: {
        201: { description: 'The webhook with its secret', schema: dataObject(issuedWebhook) },
      },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        const { webhook: created, secret } = await webhooks.create(context, body);
        return reply(201, { data: { ...toWire(created), secret } });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      permission: 'webhooks:read',
      query: pageQuery,
      responses: {
        200: { description: 'A page of webhooks, oldest first', schema: dataList(webhook) },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await webhooks.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}

function itemEndpoints(webhooks: Webhooks): Endpoint[] {
  const item = { ...shared, path: '/webhooks/{webhook_id}', params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      permission: 'webhooks:read',
      responses: { 200: { description: 'The webhook', schema: dataObject(webhook) } },
      async handler({ context, params, reply }) {
        const found = await webhooks.get(context, params.webhook_id);
        return reply(200, { data: toWire(found) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateWebhook',
      summary: 'Change a webhook, or turn it off or on',
      permission: 'webhooks:write',
      body: webhookChanges,
      responses: { 200: { description: 'The changed webhook', schema: dataObject(webhook) } },
      async handler({ context, params, body, reply }) {
        const changed = await webhooks.update(context, params.webhook_id, body);
        return reply(200, { data: toWire(changed) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      permission: 'webhooks:write',
      responses: { 204: { description: 'The webhook is gone, with its deliveries' } },
      async handler({ context, params, reply }) {
        await webhooks.remove(context, params.webhook_id);
        return reply(204);
      },
    }),
  ];
}

function toWire(found: Webhook): z.infer<typeof webhook> {
  return {
    id: found.id,
    url: found.url,
    events: [...found.events],
    active: found.active,
    createdAt: found.createdAt.toISOString(),
    disabledAt: found.disabledAt?.toISOString() ?? null,
    disabledReason: found.disabledReason,
  };
}
