import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestClock, runCurlBlocks } from '@probity/test-support';
import { createModelRoutes } from '../src/proxy/model-routes.ts';
import { read } from './config/read.ts';
import { startGateway } from './world.ts';

test('the commands of the documents work against a gateway', async (t) => {
  const clock = createTestClock();
  const gateway = await startGateway(t, '', { clock });
  const { url, folder, token } = gateway;
  const admin = gateway.addKey({ name: 'admin', role: 'admin' });
  // The file of the keys is looked at once a second.
  await clock.advance(1_000);
  const variables = { KEY: token, ADMIN_KEY: admin };
  await runCurlBlocks(import.meta.url, { url, folder, variables });
});

test('the providers of the README are a valid configuration, whose models are named as it says', async () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', AZURE_OPENAI_API_KEY: 'c' };
  const { config, issues } = await read(yaml, env);
  assert.deepEqual(issues, []);
  assert.ok(config);
  const routes = createModelRoutes(config);
  const found = ['gpt-4o-mini', 'claude-sonnet-4-5', 'my-deployment', 'local/llama3.2'].map(
    (name) => routes.find(name)?.providerId,
  );
  assert.deepEqual(found, ['openai', 'anthropic', 'azure', 'local']);
  assert.equal(routes.find('gpt-4'), undefined);
});
