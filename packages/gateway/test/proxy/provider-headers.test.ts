import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageAnswer } from '@probity/test-support';
import { issuesOf } from '../config/read.ts';
import { PROVIDER_KEY, providerText, startProxy } from './proxy-world.ts';

const MESSAGES = [{ role: 'user', content: 'Where is my parcel?' }];
const CHOSEN = {
  'openai-organization': 'org-other',
  'openai-project': 'proj-other',
  'openai-beta': 'assistants=v2',
  'anthropic-beta': 'files-api-2025-04-14',
};

test('clients choose no organization, project or beta feature of the account', async (t) => {
  const { post, model } = await startProxy(t);
  await post('/v1/chat/completions', { model: 'm', messages: MESSAGES }, CHOSEN);
  model.answer(() => messageAnswer({ type: 'text', text: 'In Rome.' }));
  await post('/v1/messages', { model: 'm', max_tokens: 9, messages: MESSAGES }, CHOSEN);
  assert.equal(model.calls.length, 2);
  for (const { headers } of model.calls) {
    for (const name of Object.keys(CHOSEN)) assert.equal(headers[name], undefined, name);
  }
});

test('headers of the configuration go with every call of the provider', async (t) => {
  const { post, model } = await startProxy(t, {
    models: (url) =>
      providerText(url, ['headers: {openai-organization: org-ours, anthropic-beta: a-1}']),
  });
  await post('/v1/chat/completions', { model: 'm', messages: MESSAGES }, CHOSEN);
  const { headers } = model.calls[0] ?? {};
  assert.equal(headers?.['openai-organization'], 'org-ours');
  assert.equal(headers?.['anthropic-beta'], 'a-1');
  assert.equal(headers?.['openai-project'], undefined);
  assert.equal(headers?.authorization, `Bearer ${PROVIDER_KEY}`);
});

test('the configuration refuses headers that the gateway sets itself', async () => {
  for (const name of ['authorization', 'content-type', 'host', 'X-Upper', 'a b']) {
    const [told = ''] = await issuesOf(
      `models: {providers: {a: {enabled: false, headers: {"${name}": x}}}}`,
    );
    assert.match(told, /models\.providers\.a\.headers\..*expected the name of a header/, name);
  }
  const [told = ''] = await issuesOf(
    'models: {providers: {a: {enabled: false, headers: {x-a: "a\\nb"}}}}',
  );
  assert.match(told, /models\.providers\.a\.headers\.x-a: expected 1 to 1024 printable/);
});
