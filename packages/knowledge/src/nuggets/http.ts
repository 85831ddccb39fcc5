import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { newNugget, nuggetChanges } from './input.ts';
import type { Nuggets } from './nuggets.ts';
import { nuggetSchema, toWire } from './schemas.ts';

const shared = { tag: 'Knowledge', rateLimit: 'general' } as const;
const PATH = '/knowledge/nuggets';

const listQuery = pageQuery.extend({
  category: z
    .string()
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('The category, as it was given.'),
  source_url: z
    .string()
    .max(2_048, 'must have at most 2,048 characters')
    .optional()
    .describe('The source, as it was given.'),
});

/** Declares the endpoints of nuggets (contract, section 7). */
export function nuggetEndpoints(nuggets: Nuggets): Endpoint[] {
  return [...collectionEndpoints(nuggets), ...itemEndpoints(nuggets)];
}

function collectionEndpoints(nuggets: Nuggets): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: PATH,
      operationId: 'createNugget',
      summary: 'Add a nugget',
      description:
        'Adds a statement to the knowledge base. It has a claim of a source once: a second one is refused with 409.',
      permission: 'knowledge:write',
      body: newNugget,
      responses: { 201: { description: 'The nugget', schema: dataObject(nuggetSchema) } },
      errors: ['already_exists', 'conflict'],
      async handler({ context, body, reply }) {
        const { source_url: sourceUrl, created_at: createdAt, ...fields } = body;
        const given = createdAt === undefined ? {} : { createdAt: new Date(createdAt) };
        const nugget = await nuggets.create(context, { ...fields, ...given, sourceUrl });
        return reply(201, { data: toWire(nugget) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: PATH,
      operationId: 'listNuggets',
      summary: 'List nuggets',
      description: 'Lists the knowledge base, all of it or what matches every filter.',
      permission: 'knowledge:read',
      query: listQuery,
      responses: {
        200: { description: 'A page of nuggets, oldest first', schema: dataList(nuggetSchema) },
      },
      async handler({ context, query, reply }) {
        const { source_url: sourceUrl, category } = query;
        const { items, total } = await nuggets.list(context, { category, sourceUrl }, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}

function itemEndpoints(nuggets: Nuggets): Endpoint[] {
  const params = z.strictObject({ nugget_id: z.string() });
  const item = { ...shared, path: `${PATH}/{nugget_id}`, params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getNugget',
      summary: 'Get a nugget',
      description: 'Returns one nugget of the organization.',
      permission: 'knowledge:read',
      responses: { 200: { description: 'The nugget', schema: dataObject(nuggetSchema) } },
      async handler({ context, params: { nugget_id: id }, reply }) {
        return reply(200, { data: toWire(await nuggets.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateNugget',
      summary: 'Change a nugget',
      description: 'Changes the given members and keeps the others.',
      permission: 'knowledge:write',
      body: nuggetChanges,
      responses: { 200: { description: 'The updated nugget', schema: dataObject(nuggetSchema) } },
      errors: ['already_exists'],
      async handler({ context, params: { nugget_id: id }, body, reply }) {
        const { source_url: sourceUrl, ...changes } = body;
        const nugget = await nuggets.update(context, id, { ...changes, sourceUrl });
        return reply(200, { data: toWire(nugget) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteNugget',
      summary: 'Delete a nugget',
      description: 'Deletes a nugget: claims are no longer held against it.',
      permission: 'knowledge:write',
      responses: { 204: { description: 'The nugget is deleted' } },
      async handler({ context, params: { nugget_id: id }, reply }) {
        await nuggets.remove(context, id);
        return reply(204);
      },
    }),
  ];
}
