import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, endpoint, pageQuery, toJsonSchema } from '@probity/core/koa';
import { z } from 'zod';
import { portal } from '../portal/access.ts';
import type { EventCatalog, EventDefinition } from './catalog.ts';
import { eventTypeSchema } from './catalog.ts';

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
