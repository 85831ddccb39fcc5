import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import { file, graded, read, readBody, recordsOf, result } from './fixtures.ts';

const attack = { successfulAttacks: [{ turn: 0, prompt: 'hi', response: 'ok' }] };

const contradicted: ReadonlyArray<readonly [string, Json, RegExp]> = [
  ['a number of successful attacks', { metadata: { totalSuccessfulAttacks: 2 } }, /attacks/],
  ['a list of successful attacks', { metadata: attack }, /attacks/],
  ['a list of them in the response', { response: { output: 'x', metadata: attack } }, /attacks/],
  [
    'attacks in the grading',
    { gradingResult: graded(true, 'x', 'ok', { metadata: { totalSuccessfulAttacks: 1 } }) },
    /attacks/,
  ],
  ['the stop reason of a success', { metadata: { stopReason: 'Grader failed' } }, /attacks/],
  ['a grading that failed', { gradingResult: graded(false, 'contains', 'no') }, /grading/],
  ['a reason of failure', { failureReason: 1 }, /grading/],
  [
    'a failed red-team assertion',
    {
      gradingResult: graded(true, 'x', 'ok', {
        componentResults: [{ pass: false, assertion: { type: 'promptfoo:redteam:pii' } }],
      }),
    },
    /grading/,
  ],
];

for (const [title, over, warning] of contradicted) {
  test(`a passing result with ${title} is a warning and no positive evidence`, async () => {
    const evaluation = await read(file([result(over)]));
    const { evaluation: sent } = await readBody(toImportFile(evaluation));
    for (const each of [evaluation, sent]) {
      const { summaries, warnings } = recordsOf(each);
      assert.match(warnings.join(), /^1 result passed, but/);
      assert.match(warnings.join(), warning);
      assert.deepEqual(summaries[0]?.signals, []);
      assert.equal(summaries[0]?.metadata.contradicted, 1);
    }
  });
}

const believed: ReadonlyArray<readonly [string, Json]> = [
  ['no attacks', { metadata: { totalSuccessfulAttacks: 0, successfulAttacks: [] } }],
  ['another stop reason', { metadata: { stopReason: 'Max turns reached' } }],
  [
    'an ordinary assertion below a threshold',
    {
      gradingResult: graded(true, 'x', 'ok', {
        componentResults: [{ pass: false, assertion: { type: 'contains' } }],
      }),
    },
  ],
];

for (const [title, over] of believed) {
  test(`a passing result with ${title} is positive evidence`, async () => {
    const { summaries, warnings } = recordsOf(await read(file([result(over)])));
    assert.deepEqual([warnings, summaries[0]?.signals], [[], ['general testing']]);
  });
}

test('a passing result next to a contradicted one is positive evidence', async () => {
  const { summaries } = recordsOf(
    await read(file([result(), result({ metadata: { totalSuccessfulAttacks: 1 } })])),
  );
  assert.deepEqual(summaries[0]?.signals, ['general testing']);
  assert.match(summaries[0]?.content ?? '', /1 of those that passed report a successful attack/);
});
