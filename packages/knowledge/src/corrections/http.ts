import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Corrections } from './corrections.ts';
import { newCorrection } from './input.ts';
import type { Correction } from './types.ts';

const correctionSchema = z
  .strictObject({
    id: z.string(),
    nuggetId: z.string().describe('The nugget that states the correction.'),
    claim: z.string(),
    correction: z.string(),
    source_url: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Correction' });

const listQuery = pageQuery.extend({
  nuggetId: z
    .string()
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('The nugget that states them.'),
});

/** Declares the endpoints of corrections (contract, section 7). */
export function correctionEndpoints(corrections: Corrections): Endpoint[] {
  const shared = { tag: 'Knowledge', rateLimit: 'general' } as const;
  const path = '/knowledge/corrections';
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path,
      operationId: 'publishCorrection',
      summary: 'Publish a correction',
      description:
        'Publishes that a claim is wrong and what is right. In one transaction the nugget that stated the claim states ' +
        'the correction, or a nugget is added, and the event `correction.deployed` is appended.',
      permission: 'knowledge:write',
      body: newCorrection,
      responses: { 201: { description: 'The correction', schema: dataObject(correctionSchema) } },
      errors: ['not_found', 'conflict'],
      async handler({ context, body: { source_url: sourceUrl, ...input }, reply }) {
        const published = await corrections.publish(context, { ...input, sourceUrl });
        return reply(201, { data: toWire(published) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path,
      operationId: 'listCorrections',
      summary: 'List corrections',
      description: 'Lists the corrections of the organization, all or those of a nugget.',
      permission: 'knowledge:read',
      query: listQuery,
      responses: {
        200: {
          description: 'A page of corrections, newest first',
          schema: dataList(correctionSchema),
        },
      },
      async handler({ context, query, reply }) {
        const { nuggetId } = query;
        const { items, total } = await corrections.list(context, { nuggetId }, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: `${path}/{correction_id}`,
      operationId: 'getCorrection',
      summary: 'Get a correction',
      description: 'Returns one correction of the organization.',
      permission: 'knowledge:read',
      params: z.strictObject({ correction_id: z.string() }),
      responses: { 200: { description: 'The correction', schema: dataObject(correctionSchema) } },
      async handler({ context, params: { correction_id: id }, reply }) {
        return reply(200, { data: toWire(await corrections.get(context, id)) });
      },
    }),
  ];
}

function toWire(correction: Correction): z.infer<typeof correctionSchema> {
  return {
    id: correction.id,
    nuggetId: correction.nuggetId,
    claim: correction.claim,
    correction: correction.correction,
    source_url: correction.sourceUrl,
    created_at: correction.createdAt.toISOString(),
  };
}
