import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { evidenceOf, readEvaluation, splitByProvider, toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import {
  errored,
  failing,
  file,
  flat,
  graded,
  keysOf,
  partsOf,
  read,
  readBody,
  recordsOf,
  result,
  resultsFile,
  someResults,
  timeless,
} from './fixtures.ts';

/** The value with the members of every object in an order made from `seed`. */
function reordered(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((each) => reordered(each, seed));
  if (typeof value !== 'object' || value === null) return value;
  const rank = (name: string) => (name.length * 7 + name.charCodeAt(0) * seed) % 31;
  const entries = Object.entries(value).sort(([left], [right]) => rank(left) - rank(right));
  return Object.fromEntries(entries.map(([name, each]) => [name, reordered(each, seed)]));
}

const type = fc.constantFrom(
  'contains',
  'llm-rubric',
  'promptfoo:redteam:pii',
  'harmful:hate',
  'own:x',
);

const anyResult: fc.Arbitrary<Json> = fc
  .record({
    kind: fc.constantFrom('pass', 'fail', 'error', 'ungraded', 'grader'),
    type,
    provider: fc.constantFrom({ id: 'a' }, { id: 'a', label: 'two' }, { id: 'b' }, 'c', null),
    label: fc.constantFrom('name', 'Tell me {{q}}', undefined),
    raw: fc.constantFrom('Tell me now about it all', 'Hi', undefined),
    score: fc.constantFrom(0, 0.5, -1, null),
    namedScores: fc.constantFrom({}, { faithfulness: 0.1 }, { toxicity: 1 }, { toxicity: 7 }),
    failureReason: fc.constantFrom(1, undefined),
    error: fc.constantFrom(undefined, 'HTTP 500 broken', 'broken'),
  })
  .map(({ kind, type, label, raw, failureReason, error, ...rest }) => {
    const prompt = { raw, label };
    const over = { prompt, ...rest };
    if (kind === 'pass') return result(over);
    if (kind === 'error') return errored(error ?? 'boom', over);
    if (kind === 'ungraded')
      return failing(type, { ...over, gradingResult: null, failureReason, error });
    if (kind === 'grader') {
      const components = [{ pass: false, assertion: { type }, metadata: { graderError: true } }];
      const gradingResult = graded(false, type, 'no grade', { componentResults: components });
      return failing(type, { ...over, gradingResult });
    }
    return failing(type, { ...over, failureReason });
  });

const someOf = fc.array(anyResult, { minLength: 1, maxLength: 8 });

test('the order of results and members and the spaces between them do not change the keys', async () => {
  await fc.assert(
    fc.asyncProperty(
      someOf,
      fc.integer({ min: 1, max: 1_000 }),
      fc.nat(4),
      async (results, seed, space) => {
        const shuffled = [...results].sort(
          (left, right) =>
            ((JSON.stringify(left).length * seed) % 17) -
            ((JSON.stringify(right).length * seed) % 17),
        );
        for (const form of [flat, file, timeless]) {
          const expected = await keysOf(form(results));
          const text = JSON.stringify(reordered(form(shuffled), seed), null, space);
          const { summaries, failures } = recordsOf(await readEvaluation(partsOf(text, 61)));
          const keys = [...summaries, ...failures].map(({ idempotencyKey }) => idempotencyKey);
          assert.deepEqual(keys.sort(), expected);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('what is sent instead of a file gives the same records', async () => {
  await fc.assert(
    fc.asyncProperty(someOf, fc.boolean(), async (results, isTimeless) => {
      const evaluation = await read(isTimeless ? timeless(results) : file(results));
      const { evaluation: sent } = await readBody(toImportFile(evaluation));
      const [own, others] = [recordsOf(evaluation), recordsOf(sent)];
      assert.deepEqual(others.summaries, own.summaries);
      assert.deepEqual(others.failures, own.failures);
      assert.deepEqual({ ...sent, warnings: [] }, { ...evaluation, warnings: [] });
    }),
    { numRuns: roundsOf(150) },
  );
});

test('the form of the file does not change the keys', async () => {
  const expected = await keysOf(flat(someResults()));
  assert.equal(new Set(expected).size, 9);
  assert.deepEqual(await keysOf(file(someResults())), expected);
  assert.deepEqual(await keysOf(resultsFile(someResults())), expected);
});

const harmless = [
  ['the id', { id: 'another' }],
  ['the latency', { latencyMs: 99 }],
  ['the cost', { cost: 1 }],
  ['the tokens', { tokenUsage: { total: 1 } }],
] as const;

for (const [what, over] of harmless) {
  test(`${what} of a result does not change its keys`, async () => {
    assert.deepEqual(
      await keysOf(flat([failing('contains', over)])),
      await keysOf(flat([failing('contains')])),
    );
  });
}

test('organization, run, provider, label, type, score and prompt change the keys', async () => {
  const evaluation = await read(flat([failing('contains')]));
  const keys = new Set<string>();
  const add = (given: typeof evaluation, organizationId = 'org_1') => {
    const { summaries, failures } = evidenceOf(given, { organizationId });
    for (const { idempotencyKey } of [...summaries, ...failures]) keys.add(idempotencyKey);
  };
  add(evaluation);
  add(evaluation, 'org_2');
  add(await read(flat([failing('contains')], { timestamp: '2026-10-04T08:15:30.251Z' })));
  add(await read(flat([failing('contains', { provider: 'b' })])));
  add(await read(flat([failing('contains', { provider: { id: 'local:desk', label: 'new' } })])));
  assert.equal(keys.size, 10);
  for (const over of [{ score: 0.1 }, { prompt: { label: 'other' } }]) {
    add(await read(flat([failing('contains', over)])));
  }
  add(await read(flat([failing('equals')])));
  assert.equal(keys.size, 13, 'the summary is the same');
});

test('the keys of version 1 never change', async () => {
  const over = { provider: { id: 'local:desk' } };
  assert.deepEqual(await keysOf(flat([failing('contains', over), failing('contains', over)])), [
    '5cedb4b6f6bc42a510f9562ece826ef1e2e5b37ab166a16a904d90936ecd32e9',
    'edbce3c3c91429ba42ac9c6a9a1b7b28f12eaeacc4540f2a6227cfd641904a82',
    'f95e282614ce27a35cda6d3d2ac9b0e4ce320bb377c4d3dcdfffe4cf44f7eb49',
  ]);
});

test('splitting keeps providers together, and the keys', async () => {
  const results = ['a', 'b', 'c', 'd'].flatMap((id) =>
    Array.from({ length: 3 }, () => failing('contains', { provider: { id } })),
  );
  const evaluation = await read(flat(results));
  const parts = splitByProvider(evaluation, 6);
  assert.deepEqual(
    parts.map((part) => [part.results.length, part.stats.failures]),
    [
      [6, 6],
      [6, 6],
    ],
  );
  const keys = parts.flatMap((part) => {
    const { summaries, failures } = recordsOf(part);
    return [...summaries, ...failures].map(({ idempotencyKey }) => idempotencyKey);
  });
  assert.deepEqual(keys.sort(), await keysOf(flat(results)));
  assert.deepEqual(splitByProvider(evaluation, 500), [evaluation]);
  const split = splitByProvider(evaluation, 2).flatMap((part) => {
    const { summaries, failures } = recordsOf(part);
    return [...summaries, ...failures].map(({ idempotencyKey }) => idempotencyKey);
  });
  assert.deepEqual(split.sort(), keys);
});
