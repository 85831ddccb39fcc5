import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { AiSystems } from './ai-systems.ts';
import { aiSystemChanges, newAiSystem, riskClass } from './input.ts';
import type { AiSystem } from './types.ts';

const aiSystemSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    description: z.string().nullable(),
    riskClass,
    owner: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'AiSystem' });

const shared = { tag: 'AI systems', rateLimit: 'general' } as const;
const PATH = '/compliance/ai-systems';

/** Declares the endpoints of AI systems (contract, section 6). */
export function aiSystemEndpoints(aiSystems: AiSystems): Endpoint[] {
  return [...collectionEndpoints(aiSystems), ...itemEndpoints(aiSystems)];
}

function collectionEndpoints(aiSystems: AiSystems): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: PATH,
      operationId: 'createAiSystem',
      summary: 'Register an AI system',
      description: 'Registers an AI system that evidence can be about.',
      permission: 'ai_systems:write',
      body: newAiSystem,
      responses: {
        201: { description: 'The AI system', schema: dataObject(aiSystemSchema) },
      },
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await aiSystems.create(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: PATH,
      operationId: 'listAiSystems',
      summary: 'List AI systems',
      description: 'Lists the AI systems of the organization.',
      permission: 'ai_systems:read',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of AI systems, oldest first',
          schema: dataList(aiSystemSchema),
        },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await aiSystems.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}

function itemEndpoints(aiSystems: AiSystems): Endpoint[] {
  const params = z.strictObject({ ai_system_id: z.string() });
  const item = { ...shared, path: `${PATH}/{ai_system_id}`, params } as const;
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getAiSystem',
      summary: 'Get an AI system',
      description: 'Returns one AI system of the organization.',
      permission: 'ai_systems:read',
      responses: { 200: { description: 'The AI system', schema: dataObject(aiSystemSchema) } },
      async handler({ context, params: { ai_system_id: id }, reply }) {
        return reply(200, { data: toWire(await aiSystems.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      method: 'PATCH',
      operationId: 'updateAiSystem',
      summary: 'Update an AI system',
      description:
        'Changes the given members and keeps the others. The coverage follows a new risk class at once.',
      permission: 'ai_systems:write',
      body: aiSystemChanges,
      responses: {
        200: { description: 'The updated AI system', schema: dataObject(aiSystemSchema) },
      },
      async handler({ context, params: { ai_system_id: id }, body, reply }) {
        return reply(200, { data: toWire(await aiSystems.update(context, id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteAiSystem',
      summary: 'Delete an AI system',
      description:
        'Deletes an AI system that no evidence refers to. While a record does, the request is refused with 409: link ' +
        'the record to another AI system, or to none, first.',
      permission: 'ai_systems:write',
      responses: { 204: { description: 'The AI system is deleted' } },
      errors: ['conflict'],
      async handler({ context, params: { ai_system_id: id }, reply }) {
        await aiSystems.remove(context, id);
        return reply(204);
      },
    }),
  ];
}

function toWire(aiSystem: AiSystem): z.infer<typeof aiSystemSchema> {
  return {
    id: aiSystem.id,
    name: aiSystem.name,
    description: aiSystem.description,
    riskClass: aiSystem.riskClass,
    owner: aiSystem.owner,
    createdAt: aiSystem.createdAt.toISOString(),
    updatedAt: aiSystem.updatedAt.toISOString(),
  };
}
