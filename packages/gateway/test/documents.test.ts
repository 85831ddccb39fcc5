import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestClock, runCurlBlocks } from '@probity/test-support';
import { createModelRoutes } from '../src/proxy/model-routes.ts';
import { read } from './config/read.ts';
import { startProxy } from './proxy/proxy-world.ts';

test('the commands of the documents work against a gateway', async (t) => {
  const clock = createTestClock();
  const models = (url: string) =>
    `models: {providers: {local: {enabled: true, base_url: '${url}', models: {llama3.2: {enabled: true}}}}}\n`;
  const { world: gateway, model } = await startProxy(t, { clock, models });
  const { url, folder, token } = gateway;
  const admin = gateway.addKey({ name: 'admin', role: 'admin' });
  // The file of the keys is looked at once a second.
  await clock.advance(1_000);
  const variables = { KEY: token, GATEWAY_KEY: token, ADMIN_KEY: admin };
  await runCurlBlocks(import.meta.url, { url, folder, variables });
  assert.equal(model.calls.length, 1);
});

test('the providers of the README are a valid configuration, whose models are named as it says', async () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', AZURE_OPENAI_API_KEY: 'c' };
  const { config, issues } = await read(yaml, env);
  assert.deepEqual(issues, []);
  assert.ok(config);
  const routes = createModelRoutes(config);
  const found = ['gpt-4o-mini', 'claude-sonnet-5-5', 'my-deployment', 'local/llama3.2'].map(
    (name) => routes.find(name)?.providerId,
  );
  assert.deepEqual(found, ['openai', 'anthropic', 'azure', 'local']);
  assert.equal(routes.find('gpt-4'), undefined);
});
