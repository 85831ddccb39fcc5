import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  file,
  flat,
  oldResults,
  read,
  readBody,
  recordsOf,
  resultsFile,
  someResults,
  TIME,
  timeless,
} from './fixtures.ts';

const stats = { successes: 2, failures: 6, errors: 1 };

const forms = [
  ['the form of the specification', flat(someResults()), 3, null],
  ['a file', file(someResults()), 3, '0.121.20'],
  ['a results file, whose version is another', resultsFile(someResults()), 3, null],
  [
    'a file of version 2',
    file(oldResults(someResults()), { metadata: undefined }, { version: 2 }),
    2,
    null,
  ],
  [
    'a results file of version 2, with the time at the top',
    { version: 2, createdAt: TIME, results: { version: 2, results: oldResults(someResults()) } },
    2,
    null,
  ],
  [
    'a file with the version at the top only',
    { version: 3, results: { timestamp: TIME, results: someResults() } },
    3,
    null,
  ],
  [
    'a file with the time in its metadata only',
    file(someResults(), {}, { timestamp: undefined }),
    3,
    '0.121.20',
  ],
] as const;

for (const [title, given, version, toolVersion] of forms) {
  test(`${title} is read`, async () => {
    const evaluation = await read(given);
    assert.equal(evaluation.version, version);
    assert.equal(evaluation.time, TIME);
    assert.equal(evaluation.toolVersion, toolVersion);
    assert.equal(evaluation.contentDigest, null);
    assert.deepEqual(evaluation.stats, stats);
    assert.deepEqual(evaluation.warnings, []);
    const { summaries, failures, totalResultsProcessed } = recordsOf(evaluation);
    assert.deepEqual([summaries.length, failures.length, totalResultsProcessed], [2, 7, 9]);
  });
}

test('a file of an old version without a time is identified by its content, with a warning', async () => {
  const evaluation = await read(timeless(someResults()));
  assert.equal(evaluation.time, null);
  assert.match(evaluation.contentDigest ?? '', /^[0-9a-f]{64}$/);
  assert.equal(evaluation.warnings.length, 1);
  assert.match(evaluation.warnings[0] ?? '', /names no time/);
  const reversed = await read(timeless(someResults().reverse()));
  assert.equal(reversed.contentDigest, evaluation.contentDigest);
  const [first, ...rest] = someResults();
  const later = await read(timeless([{ ...first, latencyMs: 13 }, ...rest]));
  assert.notEqual(later.contentDigest, evaluation.contentDigest);
});

test('times are taken in UTC from their offset', async () => {
  const times = [
    ['2026-10-04T10:15:30.250+02:00', TIME],
    ['2026-10-04T08:15:30.250', TIME],
    ['2026-10-04 08:15:30.250Z', TIME],
    ['2026-10-04T08:15:30.250999Z', TIME],
    [Date.parse(TIME), TIME],
    ['2026-10-04', '2026-10-04T00:00:00.000Z'],
    ['2026-10-04T03:15:30.25-0500', TIME],
  ] as const;
  for (const [timestamp, time] of times) {
    assert.equal((await read(flat(someResults(), { timestamp }))).time, time, String(timestamp));
  }
});

test('the body of an import is read in any order of its members', async () => {
  const members = {
    labels: { team: 'desk', __proto__x: 'y' },
    aiSystemId: 'not checked here',
    evaltoolOutput: file(someResults()),
    storeGradingReason: false,
    surprise: { deep: [1] },
  };
  for (const order of [Object.entries(members), Object.entries(members).reverse()]) {
    const body = await readBody(Object.fromEntries(order));
    assert.equal(body.evaluation.results.length, 9);
    assert.equal(body.aiSystemId, 'not checked here');
    assert.equal(body.storeGradingReason, false);
    assert.deepEqual({ ...(body.labels as object) }, { team: 'desk', __proto__x: 'y' });
    assert.deepEqual(body.unknownMembers, ['surprise']);
  }
});

test('members that bear the names of prototypes are members like others', async () => {
  const text = JSON.stringify({ evaltoolOutput: flat(someResults()) }).replace(
    '{',
    '{"labels":{"__proto__":"a","constructor":"b"},"__proto__":{"results":[]},',
  );
  const { readImportBody } = await import('../src/index.ts');
  const body = await readImportBody([Buffer.from(text)]);
  assert.deepEqual(Object.entries(body.labels as object), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  assert.deepEqual(body.unknownMembers, ['__proto__']);
  assert.equal(({} as Record<string, unknown>).results, undefined);
});
