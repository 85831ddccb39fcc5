import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failing, flat, graded, read, recordsOf, result } from './fixtures.ts';

const left = (what: string) =>
  `1 result with a ${what} that is no name of the tool: it is left out.`;

for (const [name, value] of [
  ['severity', 'patient-4711'],
  ['severity', 'High'],
  ['pluginId', 'SSN-078-05-1120'],
  ['pluginId', 'iban:de89370400440532013000'],
  ['pluginId', '078-05-1120'],
  ['strategyId', 'jane doe'],
  ['strategyId', 'x'.repeat(65)],
] as const) {
  test(`a ${name} that is ${value} is left out with a warning`, async () => {
    const { results, warnings } = await read(
      flat([failing('promptfoo:redteam:pii', { metadata: { [name]: value } })]),
    );
    assert.equal(results[0]?.plugin[name], null);
    assert.deepEqual(warnings, [left(name)]);
  });
}

for (const [name, value] of [
  ['severity', 'critical'],
  ['pluginId', 'harmful:cybercrime:malicious-code'],
  ['pluginId', 'owasp:llm:01'],
  ['strategyId', 'base64'],
  ['strategyId', 'jailbreak:composite'],
] as const) {
  test(`a ${name} that is ${value} is kept`, async () => {
    const { results, warnings } = await read(
      flat([failing('promptfoo:redteam:pii', { metadata: { [name]: value } })]),
    );
    assert.equal(results[0]?.plugin[name], value);
    assert.deepEqual(warnings, []);
  });
}

for (const type of ['SSN-078-05-1120', 'contains 4111', 'x:4111111111111111', 'a.1.2.3.4']) {
  test(`an assertion type that is ${type} is left out with a warning`, async () => {
    const { results, warnings } = await read(flat([failing(type)]));
    assert.deepEqual(results[0]?.assertions, []);
    assert.deepEqual(warnings, [
      '1 result with an assertion type that is no name: it is left out.',
    ]);
  });
}

test('a score out of range is left out for that of the grading, or for none, with a warning', async () => {
  const gradingResult = { ...graded(false, 'contains', 'No'), score: 0.25 };
  const scores = [-1, 1.5, -0.5, 4_111_111_111_111_111, null, '1'];
  const { results, warnings } = await read(
    flat([
      ...scores.map((score) => failing('contains', { score, gradingResult: null, error: '' })),
      failing('contains', { score: 1e308, gradingResult }),
    ]),
  );
  assert.deepEqual(
    results.map(({ score }) => score),
    [-1, null, null, null, null, null, 0.25],
  );
  assert.deepEqual(warnings, [
    '3 results with a score that is neither from 0 to 1 nor -1: it is left out.',
  ]);
});

test('numbers of tokens that are no counts are left out, and the sum is a number', async () => {
  const toResult = (total: number) => result({ tokenUsage: { total }, response: { output: 'x' } });
  const totals = [1e308, 1.7e308, -1, 40, 2.6];
  const { results, warnings } = await read(flat(totals.map(toResult)));
  assert.deepEqual(
    results.map(({ totalTokens }) => totalTokens),
    [null, null, null, 40, 3],
  );
  assert.deepEqual(warnings, [
    '3 results with a number of tokens below 0 or above 10^12: it is left out.',
  ]);
  const [summary] = recordsOf(await read(flat(totals.map(toResult)))).summaries;
  assert.deepEqual(JSON.parse(JSON.stringify(summary?.metadata.tokenUsage)), { total: 43 });
});
