import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageAnswer } from '@probity/test-support';
import { createModelRoutes, nameOf } from '../../src/proxy/model-routes.ts';
import { read } from '../config/read.ts';
import { startProxy } from './proxy-world.ts';

const ASKED = [{ role: 'user' as const, content: 'Where is my parcel?' }];
const PATH = '/v1/chat/completions';

const allOf = (entry: string) => (url: string) =>
  [
    'models:',
    '  providers:',
    `    local: {enabled: true, base_url: "${url}", models: {off: {enabled: false}, "*": ${entry}}}`,
    '',
  ].join('\n');

test("the model '*' enables every model of a provider that is not listed as off", async (t) => {
  const { client, model, post, world } = await startProxy(t, { models: allOf('{enabled: true}') });
  for (const name of ['gpt-4o', 'local/gpt-4o']) {
    await client.chat.completions.create({ model: name, messages: ASKED });
    assert.equal(model.calls.at(-1)?.body.model, 'gpt-4o');
  }
  for (const name of ['off', 'local/off', '*', 'local/*', 'local/']) {
    const { status } = await post(PATH, { model: name, messages: ASKED });
    assert.equal(status, 404, name);
  }
  assert.equal(model.calls.length, 2);
  assert.deepEqual((await client.models.list()).data, []);
  assert.equal((await client.models.retrieve('gpt-4o')).owned_by, 'local');
  await assert.rejects(client.models.retrieve('off'), { status: 404 });
  const calls = world.records().filter(({ message }) => message === 'model call');
  assert.deepEqual(
    calls.map((record) => record.model),
    ['local/gpt-4o', 'local/gpt-4o'],
  );
});

test("the models of '*' share its limit, and metrics name no model", async (t) => {
  const { post, world } = await startProxy(t, {
    models: allOf('{enabled: true, max_requests_per_minute: 2}'),
  });
  const statuses: number[] = [];
  for (const model of ['a', 'b', 'c']) {
    statuses.push((await post(PATH, { model, messages: ASKED })).status);
  }
  assert.deepEqual(statuses, [200, 200, 429]);
  const text = await world.metrics();
  assert.match(text, /gateway_model_calls_total\{provider="local",status="success"\} 2/);
  assert.doesNotMatch(text, /model=/);
});

test("a stored response of a model of '*' is asked for at its provider", async (t) => {
  const { client, model } = await startProxy(t, { models: allOf('{enabled: true}') });
  const answer = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
  model.answer(() => answer);
  await client.responses.create({ model: 'gpt-4o', input: 'Where is my parcel?' });
  await client.responses.retrieve('resp_1');
  assert.equal(model.calls.at(-1)?.path, '/v1/responses/resp_1');
});

test("names go to their own provider before '*', and fallbacks may name models of '*'", async () => {
  const { config, issues } = await read(
    [
      'models:',
      '  providers:',
      '    all: {enabled: true, base_url: "http://127.0.0.1:1/v1", models: {"*": {enabled: true}}}',
      '    one: {enabled: true, base_url: "http://127.0.0.1:2/v1", models: {m: {enabled: true}}}',
      '  fallbacks: [{model: m, to: [all/m, other]}, {model: x, to: [one/m]}]',
    ].join('\n'),
  );
  assert.deepEqual(issues, []);
  assert.ok(config);
  const routes = createModelRoutes(config);
  const named = (name: string) => routes.withFallbacks(name).map(nameOf);
  assert.deepEqual(named('m'), ['one/m', 'all/m', 'all/other']);
  assert.deepEqual(named('x'), ['all/x', 'one/m']);
  assert.deepEqual(named('all/x'), ['all/x', 'one/m']);
  assert.deepEqual(named('y'), ['all/y']);
});

test("the first '*' gets a model that no provider lists, and anthropic does by its interface", async (t) => {
  const { client, model, post, world } = await startProxy(t, {
    models: (url) =>
      [
        'models:',
        '  providers:',
        `    openai: {enabled: true, base_url: "${url}", models: {"*": {enabled: true}}}`,
        `    anthropic: {enabled: true, base_url: "${url}", models: {"*": {enabled: true}}}`,
        '',
      ].join('\n'),
  });
  await client.chat.completions.create({ model: 'gpt-4o', messages: ASKED });
  model.answer(() => messageAnswer({ type: 'text', text: 'In Rome.' }));
  const message = { max_tokens: 9, messages: ASKED };
  for (const name of ['claude-sonnet-5-5', 'anthropic/claude-sonnet-5-5']) {
    assert.equal((await post('/v1/messages', { ...message, model: name })).status, 200);
    assert.equal(model.calls.at(-1)?.body.model, 'claude-sonnet-5-5');
  }
  const calls = world.records().filter((record) => record.message === 'model call');
  assert.deepEqual(
    calls.map((record) => record.model),
    ['openai/gpt-4o', 'anthropic/claude-sonnet-5-5', 'anthropic/claude-sonnet-5-5'],
  );
});

test("a warning of a second '*' names the prefix of its models", async () => {
  const provider = '{enabled: true, api_key: x, models: {"*": {enabled: true}}}';
  const { issues } = await read(
    [
      'models:',
      '  providers:',
      `    openai: ${provider}`,
      `    anthropic: ${provider}`,
      `    mistral: ${provider}`,
    ].join('\n'),
  );
  const messages = issues.map(({ message }) => message).filter((each) => each.includes('MODEL'));
  assert.deepEqual(messages, [
    'models that no provider lists are called at openai; call those of this one as mistral/MODEL',
  ]);
});
