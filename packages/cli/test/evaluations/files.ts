import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts that must never leave the machine; each stands in another place of a file. */
export const MARKERS = {
  prompt: 'marker-prompt-7f3a',
  output: 'marker-output-81bc',
  variable: 'marker-variable-c0de',
  rubric: 'marker-rubric-55e1',
  config: 'marker-config-9b2d',
  error: 'marker-error-33aa',
} as const;

/** A result as the tool writes it, with a text in each of its places. */
export function result(provider: string, success: boolean, index = 0) {
  const { prompt, output, variable, rubric } = MARKERS;
  return {
    id: `result-${index}`,
    provider: { id: provider, label: '' },
    prompt: { raw: `Answer: ${prompt} ${index}`, label: `Answer: {{${variable}}}` },
    vars: { question: variable },
    response: { output: `An answer with ${output} ${index}`, tokenUsage: { total: 7 } },
    success,
    score: success ? 1 : 0,
    latencyMs: 12,
    failureReason: success ? 0 : 1,
    gradingResult: {
      pass: success,
      score: success ? 1 : 0,
      reason: success ? 'All assertions passed' : `Expected output "${output}" to contain "x"`,
      componentResults: [
        {
          pass: success,
          score: success ? 1 : 0,
          reason: `The output ${output} was looked at`,
          assertion: { type: 'contains', value: rubric },
        },
      ],
    },
    namedScores: {},
    testCase: { vars: { question: variable }, assert: [{ type: 'contains', value: rubric }] },
  };
}

/** A result of a test that did not run. */
export function failedCall(provider: string) {
  return {
    provider: { id: provider, label: '' },
    prompt: { raw: MARKERS.prompt, label: 'first' },
    vars: {},
    success: false,
    score: 0,
    failureReason: 2,
    error: `500 Internal Server Error ${MARKERS.error}`,
    gradingResult: null,
  };
}

/** The file of a run as `promptfoo eval -o` writes it. */
export function outputFile(results: readonly object[]) {
  const passed = results.filter((each) => (each as { success: boolean }).success).length;
  return {
    evalId: 'eval-abc-2026-01-31T00:00:00',
    results: {
      version: 3,
      timestamp: '2026-01-31T00:00:00.000Z',
      prompts: [{ raw: MARKERS.prompt, label: MARKERS.prompt }],
      results,
      stats: { successes: passed, failures: results.length - passed, errors: 0 },
    },
    config: { description: MARKERS.config, tests: [{ vars: { question: MARKERS.variable } }] },
    metadata: { promptfooVersion: '0.121.20' },
  };
}

/** Writes a file and returns its path. */
export function write(folder: string, name: string, content: unknown): string {
  const path = join(folder, name);
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return path;
}
