import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, instant, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeList } from '../events/catalog.ts';
import { portalOfWebhook } from '../portal/access.ts';
import type { Replays } from './replays.ts';
import type { Replay } from './types.ts';
import { REPLAY_KINDS, REPLAY_STATUSES } from './types.ts';

const range = {
  since: instant.describe('Inclusive; ISO 8601 with an offset.'),
  until: instant.optional().describe('Exclusive; default and latest: now.'),
};

/** The schemas of replays; events are of the types of the catalog. */
function createSchemas(eventTypes: EventCatalog) {
  const types = eventTypeList(eventTypes).optional();
  const count = z.int().nonnegative();
  const replay = z
    .strictObject({
      id: z.string(),
      kind: z.enum(REPLAY_KINDS).describe('failed: of deliveries that were failed or held.'),
      status: z.enum(REPLAY_STATUSES),
      total: count.nullable().describe('The number of events; null while they are counted.'),
      done: count.describe('Events that were sent, or were pending already.'),
      since: timestamp,
      until: timestamp,
      types: z.array(z.string()).nullable().describe('Null for all.'),
      createdAt: timestamp,
      endedAt: timestamp.nullable(),
    })
    .meta({ id: 'WebhookReplay' });
  const newReplay = z
    .strictObject({
      ...range,
      types: types.describe('Of those that the webhook lists; default: all of them.'),
    })
    .meta({ id: 'NewWebhookReplay' });
  const recovery = z.strictObject(range).meta({ id: 'NewWebhookRecovery' });
  return { replay, newReplay, recovery };
}

type Schemas = ReturnType<typeof createSchemas>;

const shared = { tag: 'Webhooks', rateLimit: 'general' } as const;

/** Declares the endpoints for replays of a webhook (contract, section 5). */
export function replayEndpoints(replays: Replays, eventTypes: EventCatalog): Endpoint[] {
  const schemas = createSchemas(eventTypes);
  return [...startEndpoints(replays, schemas), ...readEndpoints(replays, schemas)];
}

const started = 'The replay, which runs in the background';

function startEndpoints(replays: Replays, { replay, newReplay, recovery }: Schemas): Endpoint[] {
  const params = z.strictObject({ webhook_id: z.string() });
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/webhooks/{webhook_id}/replay',
      params,
      scoped: portalOfWebhook('attempts'),
      operationId: 'replayWebhook',
      summary: 'Send events again',
      description:
        'Sends every stored event of the time to this webhook, of the types that it lists or of some of them, ' +
        'whether or not it had a delivery. Tests are left out, and pending deliveries stay as they are. While the webhook is off, ' +
        'or another replay of it is running, the answer is 409.',
      permission: 'webhooks:write',
      body: newReplay,
      responses: { 202: { description: started, schema: dataObject(replay) } },
      errors: ['conflict'],
      async handler({ context, params: { webhook_id }, body: { types, ...request }, reply }) {
        const found = await replays.start(context, webhook_id, request, types);
        return reply(202, { data: toWire(found) });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/webhooks/{webhook_id}/recover',
      params,
      scoped: portalOfWebhook('attempts'),
      operationId: 'recoverWebhook',
      summary: 'Send failed and held deliveries again',
      description:
        'Sends the deliveries that were created in the time and are failed or held, as a replay of the ' +
        'kind `failed`. The answer is 409 in the same cases.',
      permission: 'webhooks:write',
      body: recovery,
      responses: { 202: { description: started, schema: dataObject(replay) } },
      errors: ['conflict'],
      async handler({ context, params: { webhook_id }, body, reply }) {
        return reply(202, { data: toWire(await replays.recover(context, webhook_id, body)) });
      },
    }),
  ];
}

function readEndpoints(replays: Replays, { replay }: Schemas): Endpoint[] {
  const path = '/webhooks/{webhook_id}/replays/{replay_id}';
  const params = z.strictObject({ webhook_id: z.string(), replay_id: z.string() });
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/webhooks/{webhook_id}/replays',
      scoped: portalOfWebhook('attempts'),
      operationId: 'listWebhookReplays',
      summary: 'List the replays of a webhook',
      description: 'Lists the replays with their progress. They are kept for 90 days.',
      permission: 'webhooks:read',
      params: z.strictObject({ webhook_id: z.string() }),
      query: pageQuery,
      responses: {
        200: { description: 'A page of replays, newest first', schema: dataList(replay) },
      },
      async handler({ context, params: { webhook_id }, query, reply }) {
        const { items, total } = await replays.list(context, webhook_id, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path,
      params,
      scoped: portalOfWebhook('attempts'),
      operationId: 'getWebhookReplay',
      summary: 'Get the progress of a replay',
      description:
        'Returns one replay. It is `completed` once every event was attempted; retries may follow. It is ' +
        '`stopped` when the webhook was turned off meanwhile.',
      permission: 'webhooks:read',
      responses: { 200: { description: 'The replay', schema: dataObject(replay) } },
      async handler({ context, params: { webhook_id, replay_id }, reply }) {
        return reply(200, { data: toWire(await replays.get(context, webhook_id, replay_id)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/cancel`,
      params,
      scoped: portalOfWebhook('attempts'),
      operationId: 'cancelWebhookReplay',
      summary: 'Cancel a replay',
      description:
        'Sends no further events. Deliveries that are pending already are sent. If the replay has ended, ' +
        'the answer is 409.',
      permission: 'webhooks:write',
      responses: { 200: { description: 'The canceled replay', schema: dataObject(replay) } },
      errors: ['conflict'],
      async handler({ context, params: { webhook_id, replay_id }, reply }) {
        return reply(200, { data: toWire(await replays.cancel(context, webhook_id, replay_id)) });
      },
    }),
  ];
}

function toWire(replay: Replay): z.infer<Schemas['replay']> {
  return {
    id: replay.id,
    kind: replay.kind,
    status: replay.status,
    total: replay.isCounted ? replay.total : null,
    done: replay.done,
    since: replay.since.toISOString(),
    until: replay.until.toISOString(),
    types: replay.types && [...replay.types],
    createdAt: replay.createdAt.toISOString(),
    endedAt: replay.endedAt?.toISOString() ?? null,
  };
}
