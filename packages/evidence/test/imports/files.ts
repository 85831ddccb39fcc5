/** Time of the evaluations made here. */
const TIME = '2026-10-04T08:15:30.250Z';

type Json = Record<string, unknown>;

/** Texts of prompts, outputs and the like, as they are planted in a file. */
export const MARKER = /Zqx\w+Kv/;

const marked = (name: string) => `Zqx${name}Kv is what the ${name} says`;

/** A result with a marker wherever raw text stands. */
export function result(over: Json = {}): Json {
  return {
    provider: { id: 'local:desk', label: 'desk' },
    prompt: { raw: marked('raw'), label: marked('raw') },
    vars: { question: marked('vars') },
    response: { output: marked('output'), tokenUsage: { total: 40 } },
    success: true,
    score: 1,
    namedScores: {},
    latencyMs: 5,
    failureReason: 0,
    gradingResult: { pass: true, score: 1, reason: marked('reason'), componentResults: [] },
    testCase: { description: marked('description'), vars: { question: marked('vars') } },
    ...over,
  };
}

/** A failing result with one assertion. */
export function failing(type = 'contains', over: Json = {}): Json {
  const assertion = { type, value: marked('rubric') };
  const reason = `Expected "${marked('quoted')}" and ${marked('output')} but it was polite`;
  const component = { pass: false, score: 0, reason: marked('component'), assertion };
  const gradingResult = { pass: false, score: 0, reason, componentResults: [component] };
  return result({
    success: false,
    score: 0,
    failureReason: 1,
    error: reason,
    gradingResult,
    ...over,
  });
}

/** Two providers, one failing result of each kind, and a test that did not run: 2 summaries, 5 failures. */
export function someResults(): Json[] {
  const error = `HTTP 503 ${marked('error')}`;
  return [
    result(),
    failing('promptfoo:redteam:harmful:insults'),
    failing('llm-rubric', { namedScores: { toxicity: 0.9 } }),
    failing('contains'),
    failing('contains'),
    { ...result({ success: false, failureReason: 2, error }), gradingResult: null },
    result({ provider: { id: 'local:night' }, namedScores: { faithfulness: 0.3 } }),
  ];
}

/** The form that the specification shows. */
export function flat(results: readonly Json[] = someResults(), over: Json = {}): Json {
  return { version: 3, timestamp: TIME, results, prompts: [{ raw: marked('template') }], ...over };
}

/** A file as the tool writes it. */
export function file(results: readonly Json[] = someResults()): Json {
  return {
    evalId: 'eval-x',
    results: flat(results),
    config: { prompts: [marked('config')], tests: [{ vars: { question: marked('test') } }] },
  };
}

/** A file of an old version, without a time. */
export function timeless(): Json {
  return { results: { version: 2, results: someResults() }, config: {} };
}
