import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerText, startProxy } from './proxy-world.ts';

const CARD = '4539148803436467';
const TOOL = { type: 'function', function: { name: 'f', description: 'Finds a parcel.' } };
/** Settings of a request, each with a card number or a social security number in its place. */
const SETTINGS: readonly object[] = [
  { user: CARD },
  { safety_identifier: CARD },
  { prompt_cache_key: CARD },
  { metadata: { note: CARD } },
  { metadata: { [CARD]: 'a' } },
  { metadata: { n: Number(CARD) } },
  { stop: [CARD] },
  { logit_bias: { [CARD]: 1 } },
  { tools: [{ ...TOOL, function: { name: CARD } }] },
  { tools: [{ ...TOOL, function: { ...TOOL.function, description: CARD } }] },
  { tools: [{ ...TOOL, function: { ...TOOL.function, parameters: { default: Number(CARD) } } }] },
  { tools: [{ ...TOOL, function: { ...TOOL.function, parameters: { enum: [CARD] } } }] },
  { tool_choice: { type: 'function', function: { name: CARD } } },
  { response_format: { type: 'json_schema', json_schema: { name: CARD, schema: {} } } },
  { response_format: { type: 'json_schema', json_schema: { name: 'a', description: CARD } } },
  { prediction: { type: 'content', content: CARD } },
  { metadata: { ssn: 536228145 } },
  { metadata: { ssn: [536228145] } },
  { metadata: [{ name: 'ssn', value: '536228145' }] },
  {
    tools: [
      { ...TOOL, function: { ...TOOL.function, parameters: { default: { ssn: 536228145 } } } },
    ],
  },
  { metadata: { seed: Number(CARD) } },
];

test('a number of a card or of social security is found in each setting of a request', async (t) => {
  const { post, model } = await startProxy(t);
  model.answer(() => assert.fail('the request was sent'));
  for (const settings of SETTINGS) {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }], ...settings };
    const { status, text } = await post('/v1/chat/completions', body);
    assert.equal(status, 403, `${JSON.stringify(settings)}: ${text}`);
  }
});

test('large numbers of schemas, and a seed, are none', async (t) => {
  const { post } = await startProxy(t);
  const parameters = {
    ...{ maximum: Number.MAX_SAFE_INTEGER, minimum: -Number.MAX_SAFE_INTEGER },
    ...{ enum: [2_147_483_647, 1_000_000_000], default: 4_294_967_295 },
  };
  const body = {
    ...{ model: 'm', messages: [{ role: 'user', content: 'Hi.' }], seed: Number(CARD) },
    tools: [{ ...TOOL, function: { ...TOOL.function, parameters } }],
    metadata: { at: 1_764_349_200_000, created: 1_764_349_200 },
  };
  const { status, text } = await post('/v1/chat/completions', body);
  assert.equal(status, 200, text);
});

test('a number of a setting is replaced without its name', async (t) => {
  const { post, model } = await startProxy(t, {
    models: (url) => `${providerText(url)}  redact: mask\n`,
  });
  const body = {
    ...{ model: 'm', messages: [{ role: 'user', content: 'Hi.' }] },
    metadata: { ssn: 536228145, count: 9_000_000 },
  };
  assert.equal((await post('/v1/chat/completions', body)).status, 200);
  assert.deepEqual(model.calls[0]?.body.metadata, { ssn: '[SSN_1]', count: 9_000_000 });
});
