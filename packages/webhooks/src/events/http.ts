import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import {
  dataList,
  dataObject,
  endpoint,
  instant,
  pageQuery,
  timestamp,
  toJsonSchema,
} from '@probity/core/koa';
import { z } from 'zod';
import { portal } from '../portal/access.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { EventCatalog, EventDefinition } from './catalog.ts';
import { eventTypeSchema } from './catalog.ts';
import type { StoredEvent } from './events.ts';

/** The description of an event type on the wire. */
function descriptionSchema(catalog: EventCatalog) {
  return z
    .strictObject({
      type: eventTypeSchema(catalog),
      description: z.string().describe('When the event is sent.'),
      schema: z
        .record(z.string(), z.unknown())
        .describe('JSON Schema 2020-12 of the member `data` of the event.'),
      sample: z
        .record(z.string(), z.unknown())
        .describe('An example of `data`, which test events carry.'),
    })
    .meta({ id: 'EventTypeDescription' });
}

/** Declares the endpoint for the event types of the catalog. */
export function eventTypeEndpoints(catalog: EventCatalog): Endpoint[] {
  const descriptions = Object.entries(catalog).map(toWire);
  return [
    endpoint({
      method: 'GET',
      path: '/webhooks/event-types',
      operationId: 'listWebhookEventTypes',
      summary: 'List the event types',
      description:
        'Lists the event types that webhooks may list, each with the JSON Schema of its data and a sample.',
      tag: 'Webhooks',
      permission: 'webhooks:read',
      scoped: portal('view', 'none are used'),
      rateLimit: 'general',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of event types, in the order of the catalog',
          schema: dataList(descriptionSchema(catalog)),
        },
      },
      async handler({ query, reply }) {
        const { limit, offset } = query;
        const data = descriptions.slice(offset, offset + limit);
        return reply(200, { data, ...toPageInfo(query, descriptions.length) });
      },
    }),
  ];
}

/** Any object; the data of an event type without a schema. */
const ANY_OBJECT = z.looseObject({});

function toWire([type, { description, schema = ANY_OBJECT, example }]: [string, EventDefinition]) {
  return { type, description, schema: toJsonSchema(schema), sample: { ...example } };
}

/** The schemas of stored events, whose types are those of the catalog. */
function storedEventSchemas(catalog: EventCatalog) {
  const listed = z
    .strictObject({
      id: z.string(),
      type: eventTypeSchema(catalog),
      timestamp,
      test: z.boolean().describe('Whether it is a test, which was sent to one webhook alone.'),
    })
    .meta({ id: 'StoredEvent' });
  const detail = listed
    .extend({
      data: z.record(z.string(), z.unknown()).describe('As the event type describes it.'),
    })
    .meta({ id: 'StoredEventDetail' });
  return { listed, detail };
}

/** Declares the endpoints for the events of the organization. */
export function storedEventEndpoints(webhooks: Webhooks): Endpoint[] {
  const { eventTypes } = webhooks;
  const { listed, detail } = storedEventSchemas(eventTypes);
  const shared = { method: 'GET', tag: 'Webhooks', rateLimit: 'general' } as const;
  return [
    endpoint({
      ...shared,
      path: '/events',
      operationId: 'listEvents',
      summary: 'List the events of the organization',
      description:
        'Lists the events of the last 90 days, whether or not a webhook lists their types. An event is listed when ' +
        'its transaction ends, and so may appear behind newer ones: a client that polls asks again for the ' +
        'last seconds and leaves out the ids that it has.',
      permission: 'webhooks:read',
      query: pageQuery.extend({
        since: instant
          .optional()
          .describe('Earliest time of the events, inclusive; ISO 8601 with an offset.'),
        until: instant
          .optional()
          .describe('Latest time of the events, exclusive; ISO 8601 with an offset.'),
      }),
      responses: {
        200: { description: 'A page of events, newest first', schema: dataList(listed) },
      },
      async handler({ context, query, reply }) {
        const { since, until, ...page } = query;
        const { items, total } = await webhooks.listEvents(context, { since, until }, page);
        return reply(200, { data: items.map(toListedWire), ...toPageInfo(page, total) });
      },
    }),
    endpoint({
      ...shared,
      path: '/events/{event_id}',
      operationId: 'getEvent',
      summary: 'Get an event with its data',
      description: 'Returns one event with the data that webhooks are sent.',
      permission: 'webhook_payloads:read',
      params: z.strictObject({ event_id: z.string() }),
      responses: { 200: { description: 'The event', schema: dataObject(detail) } },
      async handler({ context, params, reply }) {
        const event = await webhooks.getEvent(context, params.event_id);
        const listedEvent = toListedWire({ ...event, isTest: event.isTest ?? false });
        return reply(200, { data: { ...listedEvent, data: { ...event.data } } });
      },
    }),
  ];
}

function toListedWire({ id, type, createdAt, isTest }: StoredEvent) {
  return { id, type, timestamp: createdAt.toISOString(), test: isTest };
}
