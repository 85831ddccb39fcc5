import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { nuggetSchema, toWire } from '../nuggets/schemas.ts';
import type { IndexState } from '../vectors/knowledge-index.ts';
import type { NuggetFinder } from '../vectors/knowledge-search.ts';

/** Nuggets that a search ranks. */
const RANKED = 200;
const Q = 'must have 1 to 1,000 characters';

const count = z.int().min(0);

const indexSchema = z
  .strictObject({
    status: z
      .enum(['current', 'building'])
      .describe('Whether the vectors have every change of the knowledge base.'),
    embedder: z.string().describe('What makes the vectors.'),
    nuggets: count,
    pending: count.describe(
      'Nuggets that were stored, changed or deleted and are not indexed yet.',
    ),
    sequence: count.describe('Place of the last change of the knowledge base.'),
    indexed_sequence: count.describe('Place up to which the vectors follow.'),
  })
  .meta({ id: 'KnowledgeIndex' });

const foundSchema = nuggetSchema
  .extend({ similarity: z.number().min(-1).max(1).describe('Cosine of the vectors.') })
  .meta({ id: 'FoundNugget' });

const searchQuery = pageQuery.extend({
  q: z.string(Q).trim().min(1, Q).max(1_000, Q).describe('A statement or a question.'),
  category: z
    .string()
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('The category, as it was given.'),
});

/** Declares the search of nuggets by meaning, and the state of its index. */
export function searchEndpoints(finder: NuggetFinder): Endpoint[] {
  const shared = {
    method: 'GET',
    tag: 'Knowledge',
    rateLimit: 'general',
    permission: 'knowledge:read',
  } as const;
  return [
    endpoint({
      ...shared,
      path: '/knowledge/nuggets/search',
      operationId: 'searchNuggets',
      summary: 'Search nuggets by meaning',
      description:
        'Ranks the nuggets that are nearest to a text in meaning, at most 200, of all categories or one. A search finds ' +
        'what was stored before it; where more is not indexed yet than a second suffices for, the header `X-Knowledge-Pending` ' +
        'has the number of nuggets that are missing, else 0.',
      query: searchQuery,
      responses: {
        200: {
          description: 'A page of nuggets, nearest first',
          schema: dataList(foundSchema),
        },
      },
      errors: ['unavailable'],
      async handler({ context, query, reply }) {
        const { q, category, limit, offset } = query;
        const { organizationId } = context.principal;
        // The total is known once all are ranked.
        const options = { count: RANKED, category };
        const { matches, index } = await finder.find(organizationId, q, options);
        const page = matches.slice(offset, offset + limit);
        const data = page.map(({ nugget, similarity }) => ({
          ...toWire(nugget),
          similarity: Math.max(-1, Math.min(1, similarity)),
        }));
        const headers = { 'X-Knowledge-Pending': String(index.pending) };
        return reply(200, { data, ...toPageInfo(query, matches.length) }, { headers });
      },
    }),
    endpoint({
      ...shared,
      path: '/knowledge/index',
      operationId: 'getKnowledgeIndex',
      summary: 'Get the state of the index',
      description: 'Says how far the vectors of the knowledge base follow its changes.',
      responses: { 200: { description: 'The state', schema: dataObject(indexSchema) } },
      errors: ['unavailable'],
      async handler({ context, reply }) {
        const state = await finder.state(context.principal.organizationId);
        return reply(200, { data: toIndex(state) });
      },
    }),
  ];
}

function toIndex(state: IndexState): z.infer<typeof indexSchema> {
  const { embedderName: embedder, nuggets, pending, sequence, position } = state;
  const isCurrent = position === sequence;
  return {
    ...{ status: isCurrent ? 'current' : 'building', embedder, nuggets, pending, sequence },
    indexed_sequence: position,
  };
}
