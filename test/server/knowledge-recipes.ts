import { randomUUID } from 'node:crypto';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type KnowledgeWorld = Pick<RecipeWorld, 'url' | 'key'>;

const NUGGETS = '/api/v1/knowledge/nuggets';
const CORRECTIONS = '/api/v1/knowledge/corrections';

/** A nugget with a claim of its own. */
function newNugget() {
  return {
    claim: `Water boils at 100 °C at sea level (${randomUUID()}).`,
    source_url: 'https://physics.example/water',
    category: 'physics',
    confidence: 'high',
  };
}

/** Adds a nugget; returns its id. */
export async function nuggetId({ url, key }: KnowledgeWorld): Promise<string> {
  const answer = await call(url + NUGGETS, key, 'POST', newNugget());
  return answer.body.data.id;
}

/** A correction with a claim of its own. */
function newCorrection() {
  return {
    claim: `The warranty is one year (${randomUUID()}).`,
    correction: `The warranty is two years (${randomUUID()}).`,
    source_url: 'https://shop.example/terms',
  };
}

/** Imports a nugget; returns the id of the import. */
export async function importId({ url, key }: KnowledgeWorld): Promise<string> {
  const answer = await call(`${url}${NUGGETS}/import`, key, 'POST', [newNugget()]);
  return answer.body.data.id;
}

/** Publishes a correction; returns its id. */
export async function correctionId({ url, key }: KnowledgeWorld): Promise<string> {
  const answer = await call(url + CORRECTIONS, key, 'POST', newCorrection());
  return answer.body.data.id;
}

/** How each POST of the knowledge base is called, by operation. */
export const KNOWLEDGE_POSTS: Readonly<Record<string, CallRecipe>> = {
  createNugget: async () => ({
    path: NUGGETS,
    status: 201,
    body: newNugget(),
    otherBody: newNugget(),
  }),
  importNuggets: async () => ({
    path: `${NUGGETS}/import`,
    status: 201,
    body: [newNugget()],
    otherBody: [newNugget()],
  }),
  publishCorrection: async () => ({
    path: CORRECTIONS,
    status: 201,
    body: newCorrection(),
    otherBody: newCorrection(),
  }),
};

/** How each PATCH and DELETE of the knowledge base is called, by operation. */
export const KNOWLEDGE_CHANGES: Readonly<Record<string, CallRecipe>> = {
  updateNugget: async (world) => ({
    path: `${NUGGETS}/${await nuggetId(world)}`,
    status: 200,
    body: { confidence: 0.4 },
    otherBody: { confidence: 0.5 },
  }),
  deleteNugget: async (world) => ({
    path: `${NUGGETS}/${await nuggetId(world)}`,
    status: 204,
  }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const KNOWLEDGE_BODIES: Readonly<Record<string, unknown>> = {
  updateNugget: { category: 'chemistry' },
};
