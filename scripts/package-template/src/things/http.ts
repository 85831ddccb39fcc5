import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, nameText, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Things } from './things.ts';
import type { Thing } from './types.ts';

const thingSchema = z
  .strictObject({ id: z.string(), name: z.string(), createdAt: timestamp })
  .meta({ id: 'Thing' });

const newThing = z.strictObject({ name: nameText(200) }).meta({ id: 'NewThing' });
const thingChanges = newThing.partial().meta({ id: 'ThingChanges' });

const shared = { tag: 'Things', rateLimit: 'general' } as const;

/** Endpoints for ~things~. */
export function thingEndpoints(things: Things): Endpoint[] {
  return [...collectionEndpoints(things), ...itemEndpoints(things)];
}

function collectionEndpoints(things: Things): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/-things-',
      operationId: 'createThing',
      summary: 'Create a ~thing~',
      description: 'Stores a new ~thing~ of the organization.',
      permission: '__things__:write',
      body: newThing,
      responses: { 201: { description: 'The created ~thing~', schema: dataObject(thingSchema) } },
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await things.create(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/-things-',
      operationId: 'listThings',
      summary: 'List ~things~',
      description: 'Lists the ~things~ of the organization, page by page.',
      permission: '__things__:read',
      query: pageQuery,
      responses: {
        200: { description: 'A page of ~things~, oldest first', schema: dataList(thingSchema) },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await things.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}

function itemEndpoints(things: Things): Endpoint[] {
  const params = z.strictObject({ __thing___id: z.string() });
  const item = { ...shared, path: '/-things-/{__thing___id}', params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getThing',
      summary: 'Get a ~thing~',
      description: 'Returns one ~thing~ of the organization.',
      permission: '__things__:read',
      responses: { 200: { description: 'The ~thing~', schema: dataObject(thingSchema) } },
      async handler({ context, params: { __thing___id: id }, reply }) {
        return reply(200, { data: toWire(await things.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateThing',
      summary: 'Update a ~thing~',
      description: 'Changes the given members and keeps the others.',
      permission: '__things__:write',
      body: thingChanges,
      responses: { 200: { description: 'The updated ~thing~', schema: dataObject(thingSchema) } },
      async handler({ context, params: { __thing___id: id }, body, reply }) {
        return reply(200, { data: toWire(await things.update(context, id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteThing',
      summary: 'Delete a ~thing~',
      description: 'Deletes the ~thing~ for good.',
      permission: '__things__:write',
      responses: { 204: { description: 'The ~thing~ is deleted' } },
      async handler({ context, params: { __thing___id: id }, reply }) {
        await things.remove(context, id);
        return reply(204);
      },
    }),
  ];
}

function toWire(thing: Thing): z.infer<typeof thingSchema> {
  return { id: thing.id, name: thing.name, createdAt: thing.createdAt.toISOString() };
}
