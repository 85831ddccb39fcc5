import type { CallContext } from '@probity/core';
import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeSchema } from '../events/catalog.ts';
import { portal, portalOfWebhook } from '../portal/access.ts';
import { scopeOf } from '../portal/capabilities.ts';
import { rotatedSecret, secretRotation, webhookSecret } from '../secrets/http.ts';
import { MAX_SECRETS } from '../secrets/rotation.ts';
import { createWebhookInputs, format, rateLimit } from './input.ts';
import type { Webhook } from './types.ts';
import { webhookWarnings } from './warnings.ts';
import type { Webhooks } from './webhooks.ts';

const issuedSecret = webhookSecret
  .nullable()
  .describe(
    'Key of the delivery signatures; returned only in this response, and null for a portal token ' +
      'without the capability `secret`.',
  );

/** The schemas of webhooks; `events` accepts the types of the catalog. */
function createSchemas(eventTypes: EventCatalog) {
  const eventType = eventTypeSchema(eventTypes);
  const webhook = z
    .strictObject({
      id: z.string(),
      url: z.string().meta({ format: 'uri' }),
      events: z.array(eventType).meta({ uniqueItems: true }),
      format,
      active: z.boolean(),
      rateLimit,
      ordered: z.boolean(),
      createdAt: timestamp,
      disabledAt: timestamp
        .nullable()
        .describe(
          'Time at which failing deliveries disabled the webhook; null while it is not disabled.',
        ),
      disabledReason: z.string().nullable(),
      warnings: z
        .array(z.string())
        .describe(
          'Reasons for which its deliveries will probably be refused, each with the remedy; mostly empty.',
        ),
    })
    .meta({ id: 'Webhook' });
  return {
    webhook,
    rotatedWebhook: webhook.extend(rotatedSecret).meta({ id: 'RotatedWebhook' }),
    issuedWebhook: webhook.extend({ secret: issuedSecret }).meta({ id: 'IssuedWebhook' }),
    ...createWebhookInputs(eventTypes),
  };
}

type Schemas = ReturnType<typeof createSchemas>;

const shared = { tag: 'Webhooks', rateLimit: 'general' } as const;

/** Declares the webhook endpoints (specification, "Webhooks"). */
export function webhookResourceEndpoints(webhooks: Webhooks): Endpoint[] {
  const schemas = createSchemas(webhooks.eventTypes);
  return [
    ...collectionEndpoints(webhooks, schemas),
    ...itemEndpoints(webhooks, schemas),
    rotationEndpoint(webhooks, schemas),
  ];
}

function collectionEndpoints(webhooks: Webhooks, schemas: Schemas): Endpoint[] {
  const { webhook, issuedWebhook, newWebhook } = schemas;
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/webhooks',
      aliases: ['/webhooks/create'],
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Registers an address for events. The secret, which signs the deliveries, is returned only in this response. An organization can have 100 webhooks; the next one is refused with 409.',
      permission: 'webhooks:write',
      scoped: portal('endpoint'),
      body: newWebhook,
      responses: {
        201: { description: 'The webhook with its secret', schema: dataObject(issuedWebhook) },
      },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        const { webhook, secret } = await webhooks.create(context, body);
        const shown = maySeeSecret(context) ? secret : null;
        return reply(201, { data: { ...toWire(webhook), secret: shown } });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Lists the webhooks of the organization, without their secrets.',
      permission: 'webhooks:read',
      scoped: portal('view', 'by the handler'),
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

function itemEndpoints(webhooks: Webhooks, { webhook, webhookChanges }: Schemas): Endpoint[] {
  const params = z.strictObject({ webhook_id: z.string() });
  const item = { ...shared, path: '/webhooks/{webhook_id}', params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description:
        'Returns one webhook, without its secret. disabledAt and disabledReason are set when failing deliveries have disabled it.',
      permission: 'webhooks:read',
      scoped: portalOfWebhook('view'),
      responses: { 200: { description: 'The webhook', schema: dataObject(webhook) } },
      async handler({ context, params: { webhook_id }, reply }) {
        return reply(200, { data: toWire(await webhooks.get(context, webhook_id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateWebhook',
      summary: 'Update, enable or disable a webhook',
      description:
        'Changes the given members and keeps the others. A new address is checked as at creation; pending deliveries of a deactivated webhook are held.',
      permission: 'webhooks:write',
      scoped: portalOfWebhook('endpoint'),
      body: webhookChanges,
      responses: { 200: { description: 'The updated webhook', schema: dataObject(webhook) } },
      async handler({ context, params: { webhook_id }, body, reply }) {
        return reply(200, { data: toWire(await webhooks.update(context, webhook_id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Deletes the webhook with its deliveries, including pending ones.',
      permission: 'webhooks:write',
      scoped: portalOfWebhook('endpoint'),
      responses: { 204: { description: 'The webhook and its deliveries are deleted' } },
      async handler({ context, params: { webhook_id }, reply }) {
        await webhooks.remove(context, webhook_id);
        return reply(204);
      },
    }),
  ];
}

function rotationEndpoint(webhooks: Webhooks, { rotatedWebhook }: Schemas): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    path: '/webhooks/{webhook_id}/rotate-secret',
    params: z.strictObject({ webhook_id: z.string() }),
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'Issues a new secret, which is returned only in this response. For the overlap, ' +
      '`webhook-signature` has a signature by each secret, and `X-Service-Signature` is made with the ' +
      `new one. While ${MAX_SECRETS} secrets sign, a further overlap is refused with 409.`,
    permission: 'webhooks:write',
    scoped: portalOfWebhook('secret'),
    body: secretRotation,
    responses: {
      200: { description: 'The webhook with its new secret', schema: dataObject(rotatedWebhook) },
    },
    errors: ['conflict'],
    async handler({ context, params: { webhook_id }, body, reply }) {
      const rotated = await webhooks.rotateSecret(context, webhook_id, body?.overlap_seconds);
      const { webhook, secret, overlapEndsAt } = rotated;
      const ends = overlapEndsAt?.toISOString() ?? null;
      return reply(200, { data: { ...toWire(webhook), secret, overlapEndsAt: ends } });
    },
  });
}

function maySeeSecret({ principal: { grant } }: CallContext): boolean {
  return grant === undefined || grant.scopes.includes(scopeOf('secret'));
}

function toWire(webhook: Webhook): z.infer<Schemas['webhook']> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    format: webhook.format,
    active: webhook.active,
    rateLimit: webhook.rateLimit,
    ordered: webhook.ordered,
    createdAt: webhook.createdAt.toISOString(),
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    disabledReason: webhook.disabledReason,
    warnings: [...webhookWarnings(webhook)],
  };
}
