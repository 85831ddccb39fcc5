import { Readable } from 'node:stream';
import type { Evaluation, EvaluationEvidence } from '../src/index.ts';
import { evidenceOf, readEvaluation, readImportBody } from '../src/index.ts';

/** A JSON object of an output file. */
export type Json = Record<string, unknown>;

/** Time of the evaluations made here. */
export const TIME = '2026-10-04T08:15:30.250Z';

/** A result as version 3 writes it; `over` replaces members. */
export function result(over: Json = {}): Json {
  return {
    cost: 0.0004,
    id: '0d1f6a52-55a4-4c05-8d6e-0a4b7e0f1c11',
    latencyMs: 12,
    namedScores: {},
    prompt: { raw: 'Please tell me when the library opens', label: 'opening-hours' },
    promptId: 'a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90',
    promptIdx: 0,
    provider: { id: 'local:desk', label: 'desk' },
    response: { output: 'The library opens at half past nine', tokenUsage: { total: 40 } },
    score: 1,
    success: true,
    failureReason: 0,
    testCase: { vars: {}, assert: [{ type: 'contains' }] },
    testIdx: 0,
    tokenUsage: { total: 40 },
    vars: {},
    gradingResult: graded(true, 'contains', 'All assertions passed'),
    ...over,
  };
}

/** The grading of one assertion. */
export function graded(pass: boolean, type: string, reason: string, over: Json = {}): Json {
  const score = pass ? 1 : 0;
  const component = { pass, score, reason, assertion: { type, value: 'half past nine' } };
  return { pass, score, reason, namedScores: {}, componentResults: [component], ...over };
}

/** A failing result with one assertion. */
export function failing(type: string, over: Json = {}): Json {
  const reason = 'The answer is off the topic';
  const gradingResult = graded(false, type, reason);
  return result({
    success: false,
    score: 0,
    failureReason: 1,
    error: reason,
    gradingResult,
    ...over,
  });
}

/** A result whose test did not run. */
export function errored(error = 'connection reset by peer', over: Json = {}): Json {
  const { response: _, ...rest } = result({ success: false, score: 0, failureReason: 2, error });
  return { ...rest, gradingResult: null, ...over };
}

/** Results of every kind. */
export function someResults(): Json[] {
  return [
    result(),
    failing('contains'),
    failing('promptfoo:redteam:harmful:insults', {
      metadata: { pluginId: 'harmful:insults', severity: 'low', strategyId: 'base64' },
    }),
    failing('promptfoo:redteam:pii', {
      testCase: {
        metadata: { pluginId: 'pii:direct' },
        assert: [{ type: 'promptfoo:redteam:pii' }],
      },
    }),
    result({ namedScores: { faithfulness: 0.5, Toxicity: 0.4 } }),
    failing('llm-rubric', { namedScores: { toxicity: 0.9 } }),
    errored('HTTP 503 the upstream is gone'),
    failing('contains', { provider: { id: 'local:night', label: '' }, score: 0.25 }),
    failing('contains', { provider: { id: 'local:night', label: '' }, score: 0.25 }),
  ];
}

const statsOf = (results: readonly Json[]) => {
  const successes = results.filter(({ success }) => success === true).length;
  const errors = results.filter(({ failureReason }) => failureReason === 2).length;
  return { successes, failures: results.length - successes - errors, errors };
};

/** The form that the specification shows. */
export function flat(results: readonly Json[], over: Json = {}): Json {
  return { version: 3, timestamp: TIME, prompts: [], results, stats: statsOf(results), ...over };
}

/** A file as the tool writes it. */
export function file(results: readonly Json[], over: Json = {}, inner: Json = {}): Json {
  return {
    evalId: 'eval-abc-2026-10-04T08:15:30',
    results: { ...flat(results), ...inner },
    config: { description: 'opening hours', tests: [{ vars: { q: 'x' } }] },
    shareableUrl: null,
    metadata: {
      promptfooVersion: '0.121.20',
      exportedAt: '2026-10-05T00:00:00.000Z',
      evaluationCreatedAt: TIME,
    },
    ...over,
  };
}

/** The object of the results file, whose own version is another. */
export function resultsFile(results: readonly Json[]): Json {
  const summary = flat(results);
  return {
    version: 4,
    createdAt: TIME,
    results: summary,
    config: {},
    author: null,
    datasetId: null,
  };
}

/** Results as version 2 writes them: no `failureReason`, no grading of errors, `display` for `label`. */
export function oldResults(results: readonly Json[]): Json[] {
  return results.map(({ failureReason: _, testCase: __, id: ___, promptId: ____, ...rest }) => {
    const { raw, label } = rest.prompt as Json;
    const old: Json = { ...rest, prompt: { raw, display: label } };
    if (old.gradingResult === null) delete old.gradingResult;
    return old;
  });
}

/** A file of an old version, which names no time. */
export function timeless(results: readonly Json[]): Json {
  const { successes, failures, errors } = statsOf(results);
  const stats = { successes, failures: failures + errors, tokenUsage: { total: 1 } };
  const summary = {
    version: 2,
    results: oldResults(results),
    stats,
    table: { head: {}, body: [] },
  };
  return { results: summary, config: {}, shareableUrl: null };
}

/** The text in parts of `size` bytes. */
export function* partsOf(text: string | Buffer, size = 997): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads the JSON of a value. */
export function read(value: unknown): Promise<Evaluation> {
  return readEvaluation(Readable.from(partsOf(JSON.stringify(value))));
}

/** Reads the body of an import. */
export function readBody(body: unknown, maxResults = 500) {
  return readImportBody(partsOf(JSON.stringify(body)), { maxResults });
}

/** The records of an evaluation. */
export function recordsOf(evaluation: Evaluation): EvaluationEvidence {
  return evidenceOf(evaluation, { organizationId: 'org_1' });
}

/** The keys of all records, sorted. */
export async function keysOf(value: unknown): Promise<string[]> {
  const { summaries, failures } = recordsOf(await read(value));
  return [...summaries, ...failures].map(({ idempotencyKey }) => idempotencyKey).sort();
}
