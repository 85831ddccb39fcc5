import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestClock, temporaryFolder } from '@probity/test-support';
import { PII_TEXTS, TOXIC_TEXTS } from '../texts.ts';
import type { GatewayWorld } from '../world.ts';
import { at, LOOPBACK, startGateway } from '../world.ts';
import type { TestPlatform } from './platform.ts';
import { policyOf, startPlatform } from './platform.ts';

const EMAIL = { response: PII_TEXTS.email };
const BLOCK_EMAIL = policyOf('pol_email', [
  { stage: 'pii_scanner', types: ['email'], action: 'block' },
]);

async function startLinked(
  t: Parameters<typeof startPlatform>[0],
  policies: object[],
  { text = '', folder }: { text?: string; folder?: string } = {},
) {
  const platform = await startPlatform(t);
  platform.policies = policies;
  const state = folder ?? temporaryFolder(t).path;
  const env = {
    PROBITY_PLATFORM_URL: platform.url,
    PROBITY_PLATFORM_KEY: 'pbk_x',
    PROBITY_GATEWAY_STATE_FOLDER: state,
  };
  const gateway = await startGateway(t, text, { env, clock: createTestClock() });
  return { platform, gateway, env };
}

const round = ({ gateway }: GatewayWorld) => gateway.link?.runOnce();
const hashOf = async (gateway: GatewayWorld) =>
  (await gateway.scan({ response: 'Hello.' })).headers.get('x-probity-config-hash');

test('policies of the platform hold from the first scan on, and name themselves in the refusal', async (t) => {
  const { gateway } = await startLinked(t, [BLOCK_EMAIL]);
  const { status, body } = await gateway.scan(EMAIL);
  assert.equal(status, 403);
  assert.equal(at(body, 'governance.policy_id'), 'pol_email');
  const named = await gateway.scan({ ...EMAIL, policyIds: ['pol_email'] });
  assert.equal(named.status, 403);
});

test('a changed policy is in force after the next round, and changes the hash of the configuration', async (t) => {
  const { gateway, platform } = await startLinked(t, []);
  const before = await hashOf(gateway);
  assert.equal((await gateway.scan(EMAIL)).status, 200);
  platform.policies = [BLOCK_EMAIL];
  await round(gateway);
  assert.equal((await gateway.scan(EMAIL)).status, 403);
  const after = await hashOf(gateway);
  assert.notEqual(after, before);
  platform.policies = [];
  await round(gateway);
  assert.equal(await hashOf(gateway), before);
});

test('policies that are off, for named scans or keys alone, or that only monitor refuse nothing', async (t) => {
  const rules = [{ stage: 'pii_scanner', action: 'block' }];
  const { gateway } = await startLinked(t, [
    policyOf('pol_off', rules, { enabled: false }),
    policyOf('pol_named', rules, { default: false }),
    policyOf('pol_keys', rules, { keyIds: ['key_1'] }),
    policyOf('pol_monitor', rules, { mode: 'monitor' }),
  ]);
  assert.equal((await gateway.scan(EMAIL)).status, 200);
});

test('the file can only be stricter: it neither allows what the platform refuses nor looks at less', async (t) => {
  const loose =
    `${LOOPBACK}scanning: {stages: [{name: toxicity_scanner, enabled: false}], thresholds: {pii_risk: 1}}\n` +
    'stage_config: {pii_scanner: {patterns: {email: false}, threshold: 1}, toxicity_scanner: {confidence_threshold: 1}}\n' +
    "allowlists: {exempt_ips: [127.0.0.1], pii_exceptions: {patterns: ['.*@example\\.com']}}\n";
  const toxic = policyOf('pol_toxic', [
    { stage: 'toxicity_scanner', threshold: 0.7, action: 'block' },
  ]);
  const alone = await startGateway(t, loose);
  const { gateway } = await startLinked(t, [BLOCK_EMAIL, toxic], { text: loose });
  for (const request of [EMAIL, { response: TOXIC_TEXTS.harassment }]) {
    assert.equal((await alone.scan(request)).status, 200);
    assert.equal((await gateway.scan(request)).status, 403);
  }
  const strict = 'scanning: {thresholds: {pii_risk: 0.1}}\n';
  const allowing = [policyOf('pol_allow', [{ stage: 'pii_scanner', action: 'allow' }])];
  const stricter = await startLinked(t, allowing, { text: strict });
  assert.equal((await stricter.gateway.scan(EMAIL)).status, 403);
});

test('a pull that fails, or brings what does not exist here, leaves what is in force', async (t) => {
  const { gateway, platform } = await startLinked(t, [BLOCK_EMAIL]);
  const hash = await hashOf(gateway);
  const stays = async () => {
    await round(gateway);
    assert.equal((await gateway.scan(EMAIL)).status, 403);
    assert.equal(await hashOf(gateway), hash);
  };
  platform.status = 500;
  await stays();
  platform.status = 200;
  platform.policies = [policyOf('pol_new', [{ stage: 'no_such_stage', action: 'flag' }])];
  await stays();
  platform.policies = [{ id: 'pol_broken' }];
  await stays();
  const failed = gateway.records().filter(({ message }) => String(message).includes('the pull'));
  assert.ok(failed.length >= 3);
});

test('what was pulled holds after a restart without the platform', async (t) => {
  const folder = temporaryFolder(t).path;
  const { gateway, platform, env } = await startLinked(t, [BLOCK_EMAIL], { folder });
  await gateway.gateway.stop();
  platform.status = 503;
  const again = await startGateway(t, '', { env });
  assert.equal((await again.scan(EMAIL)).status, 403);
  await again.gateway.stop();
  rmSync(join(folder, 'platform-rules.json'));
  const without = await startGateway(t, '', { env });
  assert.equal((await without.scan(EMAIL)).status, 200);
});

test('a reload keeps the policies of the platform', async (t) => {
  const { gateway } = await startLinked(t, [BLOCK_EMAIL]);
  gateway.write('scanning: {thresholds: {pii_risk: 1}}');
  await gateway.gateway.reloader.reload();
  assert.equal((await gateway.scan(EMAIL)).status, 403);
});

test('the knowledge of the platform is evidence beside that of the file', async (t) => {
  const file = join(temporaryFolder(t).path, 'knowledge.json');
  writeFileSync(file, JSON.stringify(['The bridge was opened in 1932.']));
  const platform: TestPlatform = await startPlatform(t);
  platform.nuggets = Array.from({ length: 450 }, (_, index) => ({
    id: `nug_${index}`,
    claim: index === 449 ? 'The Eiffel Tower was completed in 1889.' : `Item ${index} is blue.`,
  }));
  const env = {
    PROBITY_PLATFORM_URL: platform.url,
    PROBITY_PLATFORM_KEY: 'pbk_x',
    PROBITY_GATEWAY_KNOWLEDGE_FILE: file,
  };
  const text = 'scanning: {stages: [{name: output_truth_scanner}]}\n';
  const gateway = await startGateway(t, text, { env });
  for (const response of [
    'The Eiffel Tower was finally completed around 1925.',
    'The bridge was opened in 1950.',
  ]) {
    assert.equal((await gateway.scan({ response })).status, 403, response);
  }
  assert.equal((await gateway.scan({ response: 'Good morning.' })).status, 200);
});
