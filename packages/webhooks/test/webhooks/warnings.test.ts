import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookWarnings } from '../../src/index.ts';
import { serve } from '../api.ts';
import { createWorld } from '../world.ts';

const SLACK = 'https://hooks.slack.com/services/T0001/B0001/XXXX';

for (const url of [
  SLACK,
  'https://HOOKS.slack.com/services/T0001/B0001/XXXX/',
  'https://hooks.slack-gov.com/services/T0001/B0001/XXXX',
  'https://relay.example/services/T0001/B0001/XXXX',
  'https://discord.com/api/webhooks/1/abc/slack',
  'https://discord.com/api/v10/webhooks/1/abc/slack?wait=true',
]) {
  test(`a webhook to ${url} is warned to set format: slack until it does`, () => {
    const [warning, ...others] = webhookWarnings({ url, format: 'standard' });
    assert.match(warning ?? '', /set format: slack/);
    assert.deepEqual(others, []);
    assert.deepEqual(webhookWarnings({ url, format: 'slack' }), []);
  });
}

test('a webhook to Discord is warned to append /slack, in either format', () => {
  const url = 'https://discord.com/api/webhooks/1/abc';
  for (const format of ['standard', 'slack'] as const) {
    assert.match(webhookWarnings({ url, format })[0] ?? '', /append \/slack to the url/);
  }
});

for (const url of [
  'https://receiver.example/hook',
  'https://receiver.example/services/hook',
  'https://slack.com.example/hook',
  'https://nodiscord.com/api/webhooks/1/abc',
]) {
  test(`a webhook to ${url} has no warning`, () => {
    assert.deepEqual(webhookWarnings({ url, format: 'standard' }), []);
  });
}

test('answers about a webhook have its warnings, and the log has each once', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const logged = () => world.lines.filter((line) => line.includes('a webhook has a warning'));
  const created = await call('POST', '/webhooks', { url: SLACK, events: ['alert.created'] });
  assert.equal(created.status, 201);
  assert.match(created.body.data.warnings[0], /set format: slack/);
  const path = `/webhooks/${created.body.data.id}`;
  assert.deepEqual((await call('GET', path)).body.data.warnings, created.body.data.warnings);
  const kept = await call('PATCH', path, { active: true });
  assert.deepEqual(kept.body.data.warnings, created.body.data.warnings);
  assert.equal(logged().length, 1);
  assert.ok(!logged()[0]?.includes('XXXX'), 'the URL is a secret of Slack');
  const mended = await call('PATCH', path, { format: 'slack' });
  assert.deepEqual(mended.body.data.warnings, []);
  const again = await call('PATCH', path, { format: 'standard' });
  assert.deepEqual(again.body.data.warnings, created.body.data.warnings);
  assert.equal(logged().length, 2);
});
