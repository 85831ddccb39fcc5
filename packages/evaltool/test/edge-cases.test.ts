import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureMetadata } from '../src/index.ts';
import { toImportFile } from '../src/index.ts';
import type { Json } from './fixtures.ts';
import { errored, failing, file, flat, graded, read, recordsOf, result } from './fixtures.ts';

/** The records of results in the specification's form. */
async function made(results: readonly Json[], over: Json = {}) {
  const evaluation = await read(flat(results, over));
  return { evaluation, ...recordsOf(evaluation) };
}

/** The metadata of the record of a failing result. */
async function failureOf(failure: Json): Promise<FailureMetadata> {
  const { failures } = await made([failure]);
  assert.equal(failures.length, 1);
  return (failures[0] as { metadata: FailureMetadata }).metadata;
}

const redTeam = [
  ['harmful:hate', 'harmful:hate', ['security']],
  ['promptfoo:redteam:harmful', 'harmful', ['security']],
  ['promptfoo:redteam:harmful:hate', 'harmful:hate', ['security']],
  ['pii:session', 'pii:session', ['security']],
  ['promptfoo:redteam:pii', 'pii', ['security']],
  ['hijacking', 'hijacking', ['security']],
  ['promptfoo:redteam:overreliance', 'overreliance', ['security']],
  ['promptfoo:redteam:contracts', 'contracts', []],
  ['promptfoo:redteam:hijackings', 'hijackings', []],
] as const;

for (const [type, plain, categories] of redTeam) {
  test(`a failure of ${type} is a red-team failure`, async () => {
    const metadata = await failureOf(failing(type));
    assert.equal(metadata.findingType, 'red_team_failure');
    assert.equal(metadata.assertionType, plain);
    assert.deepEqual(metadata.findingCategories, categories);
  });
}

test('the plugin names the part of a family that the assertion does not', async () => {
  const metadata = { pluginId: 'pii:direct', severity: 'high', strategyId: 'base64' };
  const failure = await failureOf(failing('promptfoo:redteam:pii', { metadata }));
  assert.equal(failure.assertionType, 'pii:direct');
  assert.deepEqual(failure.assertionTypes, ['pii']);
  assert.deepEqual([failure.severity, failure.strategyId], ['high', 'base64']);
});

test('types that only begin like a family, or only contain its name, map to nothing', async () => {
  for (const type of ['harmfulness', 'pii-check', 'not-hijacking', 'x:harmful:hate']) {
    const failure = await failureOf(failing(type));
    assert.deepEqual([failure.findingType, failure.findingCategories], ['test_failure', []]);
  }
});

test('of several assertions those that failed count', async () => {
  const components = [
    { pass: true, score: 1, reason: '' },
    { pass: true, assertion: { type: 'harmful:hate' } },
    { pass: false, assertion: { type: 'is-json' } },
  ];
  const grading = { pass: false, score: 0, reason: 'x', assertion: null };
  const failure = await failureOf(
    failing('x', { gradingResult: { ...grading, componentResults: components } }),
  );
  assert.deepEqual([failure.findingType, failure.assertionType], ['test_failure', 'is-json']);
  assert.deepEqual(failure.assertionTypes, ['harmful:hate', 'is-json']);
});

test('a single assertion of the grading counts where there are no components', async () => {
  const gradingResult = { pass: false, score: 0, reason: 'x', assertion: { type: 'pii:direct' } };
  const failure = await failureOf(failing('x', { gradingResult }));
  assert.equal(failure.findingType, 'red_team_failure');
});

test('without a grading and an error the failure has the assertions of the test', async () => {
  const testCase = { assert: [{ type: 'contains' }, { type: 'is-json' }] };
  const over = { gradingResult: null, error: undefined, testCase };
  const failure = await failureOf(failing('contains', over));
  assert.equal(failure.findingType, 'test_failure');
  assert.deepEqual(failure.assertionTypes, ['contains', 'is-json']);
  assert.equal(failure.gradingReason, 'No grading result.');
  const stripped = await failureOf(failing('contains', { gradingResult: null, testCase }));
  assert.equal(stripped.findingType, 'test_failure', 'the failure reason says that it was graded');
});

const errors = [
  ['a failure reason of 2', errored(), null],
  ['an error and no grading', errored('boom', { failureReason: undefined }), null],
  ['an error and a grading left out', { ...errored('boom'), gradingResult: undefined }, null],
  ['an HTTP status', errored('HTTP 503 upstream refused'), 503],
  ['an API error', errored('API error: 429 Too Many Requests'), 429],
  ['a status at the start', errored('500 Internal Server Error'), 500],
  ['a number within the text', errored('refused after 500 ms'), null],
  ['a longer number', errored('5001 is no port'), null],
] as const;

for (const [title, given, status] of errors) {
  test(`a test that did not run, by ${title}, is an evaluation error without obligations`, async () => {
    const { failures, summaries, evaluation } = await made([given]);
    assert.equal(failures[0]?.metadata.findingType, 'evaluation_error');
    assert.equal(failures[0]?.metadata.httpStatus, status);
    assert.deepEqual(failures[0]?.signals, []);
    assert.deepEqual(evaluation.stats, { successes: 0, failures: 0, errors: 1 });
    assert.equal(summaries[0]?.metadata.passRate, 0);
    assert.deepEqual(summaries[0]?.metadata.findingCategories, []);
  });
}

test('a judge that gave no grade is a grader error without obligations', async () => {
  const gradingResult = graded(false, 'promptfoo:redteam:pii', 'Could not parse', {
    componentResults: [
      {
        pass: false,
        assertion: { type: 'promptfoo:redteam:pii' },
        metadata: { graderError: true },
      },
    ],
  });
  const { failures } = await made([failing('x', { gradingResult })]);
  assert.equal(failures[0]?.metadata.findingType, 'grader_error');
  assert.deepEqual(failures[0]?.signals, []);
});

const scores = [
  [{ faithfulness: 0.79 }, ['accuracy']],
  [{ faithfulness: 0.8 }, []],
  [{ toxicity: 0.2 }, []],
  [{ toxicity: 0.21 }, ['fairness']],
  [{ Faithfulness: 0, TOXICITY: 1 }, ['accuracy', 'fairness']],
  [{ faithfulness: 0.9, Faithfulness: 0.1 }, ['accuracy']],
  [{ faithful: 0.1, 'toxicity/base64': 0.9 }, []],
] as const;

for (const [namedScores, categories] of scores) {
  test(`the scores ${JSON.stringify(namedScores)} are findings on ${categories.join() || 'nothing'}`, async () => {
    const { summaries, failures } = await made([result({ namedScores })]);
    assert.equal(failures.length, 0, 'a passing result has no record');
    assert.deepEqual(summaries[0]?.signals, [...categories, 'general testing']);
    const { failures: failed } = await made([failing('llm-rubric', { namedScores })]);
    assert.deepEqual(failed[0]?.signals, categories);
    const first = categories[0];
    const type = first ? `${first}_failure` : 'test_failure';
    assert.equal(failed[0]?.metadata.findingType, type);
  });
}

test('scores beyond 0 and 1 map to nothing, with one warning', async () => {
  const wrong = [1.8, -1, '0.1', null, [0.1]].map((faithfulness) =>
    result({ namedScores: { faithfulness } }),
  );
  const { summaries, warnings } = await made(wrong);
  assert.deepEqual(summaries[0]?.signals, ['general testing']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /^5 results with a score faithfulness that is no number/);
});

test('scores at the result count where the grading was left out', async () => {
  const { summaries } = await made([
    result({ gradingResult: null, namedScores: { faithfulness: 0.3 } }),
    result({
      namedScores: {},
      gradingResult: graded(true, 'x', '', { namedScores: { faithfulness: 0.5 } }),
    }),
  ]);
  const expected = { faithfulness: { count: 2, mean: 0.4, min: 0.3, max: 0.5 } };
  assert.deepEqual(summaries[0]?.metadata.namedScores, expected);
});

test('a score that is absent or no number is that of the grading, or none', async () => {
  const grading = (score: unknown) => graded(false, 'contains', 'x', { score });
  const cases = [
    [{ score: 0.4 }, 0.4],
    [{ score: null, gradingResult: grading(0.3) }, 0.3],
    [{ score: undefined, gradingResult: grading('high') }, null],
    [{ score: -1 }, -1],
  ] as const;
  for (const [over, score] of cases) {
    assert.equal((await failureOf(failing('contains', over))).score, score);
  }
});

test('a result without success counts by its grading, or as failing with a warning', async () => {
  const { evaluation } = await made([
    result({ success: undefined }),
    result({ success: undefined, gradingResult: undefined }),
  ]);
  assert.deepEqual(evaluation.stats, { successes: 1, failures: 1, errors: 0 });
  assert.match(evaluation.warnings.join(), /1 result without success/);
});

test('a provider may be a text, and is unknown where it is absent', async () => {
  const { summaries, warnings } = await made([
    result({ provider: 'openai:small' }),
    result({ provider: { label: 'x' } }),
    result({ provider: undefined }),
    result({ provider: { id: 7 } }),
  ]);
  assert.deepEqual(
    summaries.map(({ metadata }) => metadata.providers),
    [['openai:small'], ['unknown'], ['unknown']],
  );
  assert.match(warnings.join(), /3 results without a provider id/);
});

test('a provider id that is no name is recorded as a hash', async () => {
  for (const id of ['x'.repeat(301), 'two\nlines', 'zero\0byte', 'half \ud800']) {
    const { summaries, warnings } = await made([result({ provider: { id } })]);
    assert.match(summaries[0]?.metadata.providers[0] ?? '', /^provider-[0-9a-f]{16}$/);
    assert.match(warnings.join(), /that is no name/);
  }
});

test('of a provider whose id is a URL no user, password, query and fragment are recorded', async () => {
  const ids = [
    'https://api.example.com/chat',
    'https://api.example.com/chat?api_key=sk-live-1',
    'https://api.example.com/chat?api_key=sk-live-2',
    'https://user:hunter2@api.example.com/chat#x',
    'https://[/chat?api_key=sk-live-3',
  ];
  const { evaluation, summaries } = await made(ids.map((id) => result({ provider: { id } })));
  const recorded = summaries.map(({ metadata }) => metadata.providers[0] as string);
  assert.equal(new Set(recorded).size, ids.length);
  assert.doesNotMatch(JSON.stringify(summaries), /sk-live|hunter2|user:/);
  assert.ok(recorded.includes('https://api.example.com/chat'));
  assert.equal(recorded.filter((id) => /^https:.*chat~[0-9a-f]{8}$/.test(id)).length, 3);
  const again = await read(toImportFile(evaluation).evaltoolOutput as Json);
  assert.deepEqual(new Set(again.results.map(({ provider }) => provider.id)), new Set(recorded));
});

test('equal failing results are records of their own', async () => {
  const { failures } = await made([failing('contains'), failing('contains'), failing('contains')]);
  assert.equal(new Set(failures.map(({ idempotencyKey }) => idempotencyKey)).size, 3);
});

test('counts that differ from the results give one warning, and the results count', async () => {
  const stats = { successes: 9, failures: 0, errors: 0 };
  const { evaluation, warnings } = await made([result(), failing('contains')], { stats });
  assert.deepEqual(evaluation.stats, { successes: 1, failures: 1, errors: 0 });
  assert.equal(warnings.filter((warning) => /counts in stats/.test(warning)).length, 1);
  const old = { successes: 1, failures: 2 };
  const { warnings: none } = await made([result(), failing('contains'), errored()], { stats: old });
  assert.deepEqual(none, [], 'old versions count errors as failures');
});

test('ordinary assertion types give no warning, each unknown one gives one with its count', async () => {
  const ordinary = ['equals', 'not-contains', 'llm-rubric', 'assert-set', 'select-best', 'human'];
  const unknown = ['own:check', 'own:check', 'promptfoo:redteam:contracts'];
  const { warnings } = await made([...ordinary, ...unknown].map((type) => failing(type)));
  assert.deepEqual(warnings, [
    'Unknown assertion type own:check was skipped for obligation mapping (2 results).',
    'Unknown assertion type promptfoo:redteam:contracts was skipped for obligation mapping (1 result).',
  ]);
});

test('of many assertions of one result each type counts once, and 50 are kept with a warning', async () => {
  const graded = (count: number) => ({
    gradingResult: {
      ...{ pass: false, score: 0, reason: 'It is off the topic' },
      componentResults: Array.from({ length: 900 }, (_, index) => ({
        ...{ pass: false, score: 0, assertion: { type: `own:${index % count}` } },
      })),
    },
  });
  const { evaluation, failures } = await made([
    failing('contains', graded(50)),
    failing('contains', graded(51)),
  ]);
  for (const { metadata } of failures) assert.equal(metadata.assertionTypes.length, 50);
  assert.deepEqual(evaluation.warnings, [
    '1 result with more than 50 assertion types: further ones are left out.',
  ]);
});

test('many unknown assertion types give a bounded number of warnings', async () => {
  const results = Array.from({ length: 40 }, (_, index) => failing(`own:${index}`));
  const { warnings } = await made(results);
  assert.equal(warnings.length, 21);
  assert.match(warnings.at(-1) ?? '', /20 more unknown assertion types/);
});

test('a text in place of an assertion type is left out', async () => {
  const { failures, warnings } = await made([failing('a whole sentence of text')]);
  assert.deepEqual(failures[0]?.metadata.assertionTypes, []);
  assert.match(warnings.join(), /1 result with an assertion type that is no name/);
});

test('a version of the tool below 0.40.0 gives a warning', async () => {
  const withVersion = async (promptfooVersion: string) => {
    const evaluation = await read(file([result()], { metadata: { promptfooVersion } }));
    return [evaluation.toolVersion, evaluation.warnings.length];
  };
  assert.deepEqual(await withVersion('0.39.9'), ['0.39.9', 1]);
  assert.deepEqual(await withVersion('0.40.0'), ['0.40.0', 0]);
  assert.deepEqual(await withVersion('1.0.0'), ['1.0.0', 0]);
  assert.deepEqual(await withVersion('0.122.0-rc.1'), ['0.122.0-rc.1', 0]);
  for (const text of ['some text', '0.121.20-jane.doe', '0.121.20-4111111111111111']) {
    assert.deepEqual(await withVersion(text), [null, 0]);
  }
});

test('tokens and pass rate are summed up by provider', async () => {
  const { summaries } = await made([
    result({ tokenUsage: undefined }),
    failing('contains', { tokenUsage: { total: 2 } }),
    result({ provider: { id: 'a' }, tokenUsage: { total: -5 }, response: {} }),
  ]);
  const shown = summaries.map(({ metadata: { tokenUsage, passRate } }) => [
    tokenUsage.total,
    passRate,
  ]);
  assert.deepEqual(shown, [
    [0, 1],
    [42, 0.5],
  ]);
});
