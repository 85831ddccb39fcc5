import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitByProvider, toImportFile } from '../src/index.ts';
import { failing, file, read, readBody, recordsOf, result } from './fixtures.ts';

const many = [
  ...Array.from({ length: 900 }, (_, at) =>
    result({
      namedScores: at % 3 === 0 ? { faithfulness: (at % 10) / 10, toxicity: 0.1 } : {},
      tokenUsage: { total: at },
      metadata: at % 450 === 1 ? { totalSuccessfulAttacks: 1 } : {},
    }),
  ),
  ...Array.from({ length: 300 }, () => failing('promptfoo:redteam:pii')),
];

test('a provider with more results than an import takes is sent as its summary and failures', async () => {
  const evaluation = await read(file(many));
  const whole = recordsOf(evaluation);
  const [part, ...others] = splitByProvider(evaluation, 500);
  assert.deepEqual(others, []);
  assert.ok(part && part.results.length <= 320);
  const { evaluation: sent } = await readBody(toImportFile(part));
  const records = recordsOf(sent);
  assert.equal(records.totalResultsProcessed, 1_200);
  assert.deepEqual(records.failures, whole.failures);
  const [summary, expected] = [records.summaries[0], whole.summaries[0]];
  const { namedScores, ...metadata } = summary?.metadata ?? {};
  const { namedScores: scores, ...others2 } = expected?.metadata ?? {};
  assert.deepEqual(metadata, others2);
  assert.deepEqual(
    [summary?.idempotencyKey, summary?.content],
    [expected?.idempotencyKey, expected?.content],
  );
  assert.equal(summary?.metadata.contradicted, 2);
  for (const [name, { mean, ...counts }] of Object.entries(scores ?? {})) {
    const { mean: own = 0, ...rest } = namedScores?.[name] ?? {};
    assert.deepEqual(rest, counts);
    assert.ok(Math.abs(own - mean) < 1e-9, `${own} and ${mean}`);
  }
});

test('the reader ignores repeat counts in a file of the tool', async () => {
  const { evaluation } = await readBody({ evaltoolOutput: file([result({ repeat: 1_000 })]) });
  assert.deepEqual(evaluation.stats, { successes: 1, failures: 0, errors: 0 });
});

test('splitting a provider with 1,300 failures keeps all records and their keys', async () => {
  const results = [
    ...many,
    ...Array.from({ length: 700 }, (_, at) =>
      failing('promptfoo:redteam:harmful:hate', { score: at % 3 }),
    ),
    ...Array.from({ length: 200 }, () =>
      failing('my-check', { namedScores: { faithfulness: 0.5 } }),
    ),
    ...Array.from({ length: 100 }, () =>
      result({ success: false, error: 'API error: 429', failureReason: 2 }),
    ),
  ];
  const evaluation = await read(file(results));
  const whole = recordsOf(evaluation);
  const parts = splitByProvider(evaluation, 500);
  assert.ok(parts.every((part) => part.results.length <= 500));
  const sent = await Promise.all(parts.map((part) => readBody(toImportFile(part))));
  const records = sent.map((body) => recordsOf(body.evaluation));
  const failures = records.flatMap((each) => each.failures);
  assert.deepEqual(failures, whole.failures);
  assert.equal(new Set(failures.map(({ idempotencyKey }) => idempotencyKey)).size, 1_300);
  const summaries = records.flatMap((each) => each.summaries);
  assert.equal(summaries.length, 1);
  const { namedScores: _, ...metadata } = summaries[0]?.metadata ?? {};
  const { namedScores: __, ...expected } = whole.summaries[0]?.metadata ?? {};
  assert.deepEqual(metadata, expected);
  assert.equal(summaries[0]?.idempotencyKey, whole.summaries[0]?.idempotencyKey);
  const processed = records.map(({ totalResultsProcessed }) => totalResultsProcessed);
  assert.equal(
    processed.reduce((sum, count) => sum + count),
    2_200,
  );
  assert.deepEqual(
    records.flatMap(({ warnings }) => warnings),
    whole.warnings,
  );
});

test('the reader ignores a part in a file of the tool', async () => {
  const evaltoolOutput = { part: 'summary', ...file([failing('contains')]) };
  const { evaluation } = await readBody({ evaltoolOutput });
  assert.equal(recordsOf(evaluation).failures.length, 1);
});

test('more than 400 combinations of unknown assertion types fit into one import', async () => {
  const results = Array.from({ length: 600 }, (_, at) => failing(`my-check-${at}`));
  const evaluation = await read(file(results));
  const [summary] = splitByProvider(evaluation, 500);
  assert.equal(summary?.part, 'summary');
  assert.equal(summary.results.length, 1);
});
