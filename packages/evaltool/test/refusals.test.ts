import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EvaluationError, readImportBody } from '../src/index.ts';
import { failing, file, flat, readBody, result, timeless } from './fixtures.ts';

const many = (count: number) => Array.from({ length: count }, () => result());

const refused = [
  ['no evaltoolOutput', {}, 'evaltoolOutput', /is missing/],
  ['evaltoolOutput as a text', { evaltoolOutput: '{}' }, 'evaltoolOutput', /must be an object/],
  ['evaltoolOutput as an array', { evaltoolOutput: [] }, 'evaltoolOutput', /must be an object/],
  ['no version', flat([result()], { version: undefined }), 'version', /is missing; 2 and 3/],
  ['version 1', flat([result()], { version: 1 }), 'version', /2 or 3/],
  ['version 4', flat([result()], { version: 4 }), 'version', /2 or 3/],
  ['version 2.5', flat([result()], { version: 2.5 }), 'version', /2 or 3/],
  ['version as a text', flat([result()], { version: '3' }), 'version', /2 or 3/],
  [
    'version 4 beside the results',
    file([result()], {}, { version: 4 }),
    'results.version',
    /2 or 3/,
  ],
  ['no results', flat([], { results: undefined }), 'results', /is missing/],
  ['results as a text', flat([], { results: 'none' }), 'results', /must be an array/],
  ['no results', flat([]), 'results', /is empty/],
  ['errors alone in stats', flat([], { stats: { errors: 3 } }), 'results', /is empty/],
  ['nested results as an object', file([], {}, { results: {} }), 'results.results', /an array/],
  ['501 results', flat(many(501)), 'results', /has 501 results; at most 500/],
  ['501 nested results', file(many(501)), 'results.results', /has 501 results; at most 500/],
  ['a result that is a text', flat([result(), 'x' as never]), 'results[1]', /must be an object/],
  ['a result that is an array', flat([[] as never]), 'results[0]', /must be an object/],
  [
    'no timestamp',
    flat([result()], { timestamp: undefined }),
    'timestamp',
    /timestamp is required: the time/,
  ],
  ['a bad timestamp', flat([result()], { timestamp: 'yesterday' }), 'timestamp', /ISO 8601/],
  [
    'version 3 without a time',
    { results: { version: 3, results: [result()] } },
    'results.timestamp',
    /ISO 8601/,
  ],
] as const;

for (const [title, output, path, problem] of refused) {
  test(`${title} is refused, at ${path}`, async () => {
    const isBody = path === 'evaltoolOutput';
    const given = isBody ? output : { evaltoolOutput: output };
    await assert.rejects(readBody(given), (error: unknown) => {
      assert.ok(error instanceof EvaluationError);
      assert.equal(error.code, 'invalid_evaluation');
      assert.equal(error.path, isBody ? path : `evaltoolOutput.${path}`);
      assert.match(error.message, problem);
      return true;
    });
  });
}

const texts = [
  '',
  ' \n',
  '{"evaltoolOutput":',
  '{"evaltoolOutput":{}} x',
  '{"a":1,}',
  '[1,]',
  '{"a" 1}',
  '{"a":tru}',
  '{"a":"\u0001"}',
  '{"a":"\\x"}',
  '{"a":01}',
  '{a:1}',
  '{"a":[}',
  '{"a":1]',
];

for (const text of texts) {
  test(`${JSON.stringify(text)} is no JSON`, async () => {
    await assert.rejects(readImportBody([Buffer.from(text)]), { code: 'invalid_json', path: '' });
  });
}

test('what is no JSON is refused wherever it stands, also in what is passed over', async () => {
  const text = JSON.stringify({ config: { a: ['b'] }, ...flat([result()]) });
  await assert.rejects(readImportBody([Buffer.from(text.replace('["b"]', '["b",]'))]), {
    code: 'invalid_json',
  });
});

test('text that is not UTF-8 is refused', async () => {
  const [before, after] = JSON.stringify({ evaltoolOutput: flat([failing('contains')]) }).split(
    'off the topic',
  );
  const bytes = [Buffer.from(before ?? ''), Buffer.from([0xff, 0xfe]), Buffer.from(after ?? '')];
  await assert.rejects(readImportBody(bytes), { code: 'invalid_json' });
});

test('a byte order mark is passed over', async () => {
  const text = JSON.stringify({ evaltoolOutput: flat([result()]) });
  const { evaluation } = await readImportBody([Buffer.from(`\uFEFF${text}`)]);
  assert.equal(evaluation.results.length, 1);
});

test('messages about what is no JSON quote nothing of it', async () => {
  const text = '{"evaltoolOutput": {"results": [{"vars": {"q": "my secret"] }';
  await assert.rejects(readImportBody([Buffer.from(text)]), (error: Error) => {
    assert.doesNotMatch(`${error.message}${error.stack}`, /secret/);
    return true;
  });
});

test('a contentDigest that is none is refused', async () => {
  const evaltoolOutput = timeless([result()]);
  await assert.rejects(readBody({ evaltoolOutput, contentDigest: 'abc' }), {
    code: 'invalid_evaluation',
    path: 'contentDigest',
  });
});

test('results of more than 64 levels have no identity without a time, and one with it', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const results = [result({ vars: { a: deep(70) } })];
  await assert.rejects(readBody({ evaltoolOutput: timeless(results) }), {
    path: 'evaltoolOutput.results.results',
    message: /more than 64 levels/,
  });
  const { evaluation } = await readBody({ evaltoolOutput: file(results) });
  assert.equal(evaluation.results.length, 1);
});
