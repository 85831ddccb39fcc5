import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitByProvider, toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import { file, flat, read, readBody, recordsOf, result } from './fixtures.ts';

const stats = { successes: 1, failures: 0, errors: 0, tokenUsage: { total: 700, prompt: 400 } };
const silent = (id: string): Json =>
  result({ provider: { id }, tokenUsage: undefined, response: { output: 'x' } });
const two = { ...stats, successes: 2 };

const cases: ReadonlyArray<readonly [string, Json, readonly object[]]> = [
  ['stats at the top', flat([silent('a')], { stats }), [{ total: 700 }]],
  ['stats of a file', file([silent('a')], {}, { stats }), [{ total: 700 }]],
  ['results before stats', flat([result()], { stats }), [{ total: 40 }]],
  [
    'stats of several providers, as those of the evaluation',
    flat([silent('a'), silent('b')], { stats: two }),
    [
      { total: 700, scope: 'evaluation' },
      { total: 700, scope: 'evaluation' },
    ],
  ],
  ['no stats', flat([silent('a')]), [{ total: 0 }]],
];

for (const [title, given, expected] of cases) {
  test(`a summary has the tokens of ${title}`, async () => {
    const evaluation = await read(given);
    for (const part of splitByProvider(evaluation, 1)) {
      const { evaluation: sent } = await readBody(toImportFile(part));
      const [summary] = recordsOf(sent).summaries;
      assert.deepEqual(summary?.metadata.tokenUsage, expected[0]);
    }
    const shown = recordsOf(evaluation).summaries.map(({ metadata }) => metadata.tokenUsage);
    assert.deepEqual(shown, expected);
  });
}
