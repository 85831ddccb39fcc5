import { randomUUID } from 'node:crypto';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { call } from './support.ts';

type EvidenceWorld = Pick<RecipeWorld, 'url' | 'key'>;

/** The path of AI systems. */
const AI_SYSTEMS = '/api/v1/compliance/ai-systems';
const EVIDENCE = '/api/v1/compliance/evidence';

/** Registers an AI system; returns its id. */
export async function aiSystemId({ url, key }: EvidenceWorld): Promise<string> {
  const body = { name: 'Support assistant', riskClass: 'limited', owner: 'Customer care' };
  const answer = await call(url + AI_SYSTEMS, key, 'POST', body);
  return answer.body.data.id;
}

/** An evaluation of its own, with a passing and a failing result, as an import sends it. */
export function newImport() {
  const provider = { id: `openai:chat:${randomUUID()}` };
  const results = [
    { provider, success: true, score: 1, gradingResult: { pass: true, score: 1 } },
    {
      provider,
      success: false,
      score: 0.4,
      gradingResult: { pass: false, score: 0.4, namedScores: { faithfulness: 0.4 } },
    },
  ];
  return { evaltoolOutput: { version: 3, timestamp: '2026-01-01T00:00:00.000Z', results } };
}

/** Imports an evaluation; returns the id of one of its records. */
export async function evidenceId({ url, key }: EvidenceWorld): Promise<string> {
  const answer = await call(`${url}${EVIDENCE}/import/evaltool`, key, 'POST', newImport());
  return answer.body.evidenceIds[0];
}

/** How each POST of evidence is called, by operation. */
export const EVIDENCE_POSTS: Readonly<Record<string, CallRecipe>> = {
  createAiSystem: async () => ({
    path: AI_SYSTEMS,
    status: 201,
    body: { name: 'Support assistant', riskClass: 'limited', owner: 'Customer care' },
    otherBody: { name: 'Screening of applications', riskClass: 'high' },
  }),
  importEvaltool: async () => ({
    path: `${EVIDENCE}/import/evaltool`,
    status: 201,
    body: newImport(),
    otherBody: newImport(),
  }),
};

/** How each PATCH and DELETE of evidence is called, by operation. */
export const EVIDENCE_CHANGES: Readonly<Record<string, CallRecipe>> = {
  updateAiSystem: async (world) => ({
    path: `${AI_SYSTEMS}/${await aiSystemId(world)}`,
    status: 200,
    body: { riskClass: 'high' },
    otherBody: { riskClass: 'minimal' },
  }),
  deleteAiSystem: async (world) => ({
    path: `${AI_SYSTEMS}/${await aiSystemId(world)}`,
    status: 204,
  }),
  updateEvidence: async (world) => ({
    path: `${EVIDENCE}/${await evidenceId(world)}`,
    status: 200,
    body: { labels: { team: 'assistants' } },
    otherBody: { labels: { team: 'search' } },
  }),
};

/** Valid bodies of changes, so that only the identifier can be refused. */
export const EVIDENCE_BODIES: Readonly<Record<string, unknown>> = {
  updateAiSystem: { name: 'Another name' },
  updateEvidence: { labels: { team: 'assistants' } },
};
