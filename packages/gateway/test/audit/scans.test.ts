import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { StageFactory } from '@probity/pipeline';
import { until } from '@probity/test-support';
import { PII_TEXTS } from '../texts.ts';
import type { StoredRow } from '../world.ts';
import { at, LOOPBACK, startGateway } from '../world.ts';

const resultsOf = (rows: readonly StoredRow[]) =>
  rows.filter(({ kind }) => kind === 'scan').map(({ result }) => String(result));

test('audit.sample_rate 1 records every scan, with what came of it and without any text', async (t) => {
  const gateway = await startGateway(t, 'audit: {sample_rate: 1}');
  const { headers } = await gateway.scan({
    prompt: 'Who is it?',
    response: 'The quick brown fox.',
    metadata: { user_id: 'alice' },
  });
  await gateway.scan({ response: PII_TEXTS.email });
  await gateway.scan({ response: PII_TEXTS.ssn });
  const rows = await gateway.stored();
  assert.deepEqual(resultsOf(rows), ['allowed', 'flagged', 'blocked']);
  const [allowed, , blocked] = rows;
  assert.equal(allowed?.client_id, 'app');
  assert.equal(allowed?.user_id, 'alice');
  assert.equal(allowed?.address, '127.0.0.1');
  assert.equal(allowed?.request_id, headers.get('x-request-id'));
  assert.equal(allowed?.config_hash, headers.get('x-probity-config-hash'));
  assert.match(String(blocked?.reason), /^pii_scanner found ssn/);
  const detail = JSON.parse(String(blocked?.detail)) as { findings: { type: string }[] };
  assert.equal(detail.findings[0]?.type, 'ssn');
  assert.doesNotMatch(JSON.stringify(rows), /quick brown|536-22-8145|bob@example/);
});

test('audit.sample_rate 0 records those that are not allowed alone', async (t) => {
  const gateway = await startGateway(t, 'audit: {sample_rate: 0}');
  for (let count = 0; count < 20; count++) await gateway.scan({ response: 'Hello.' });
  await gateway.scan({ response: PII_TEXTS.ssn });
  assert.deepEqual(resultsOf(await gateway.stored()), ['blocked']);
});

test('audit.sample_rate is a share of the allowed scans', async (t) => {
  const gateway = await startGateway(t, 'audit: {sample_rate: 0.5}', {
    random: [0.49, 0.5, 0.2, 0.9],
  });
  for (let count = 0; count < 4; count++) await gateway.scan({ response: 'Hello.' });
  assert.equal((await gateway.stored()).length, 2);
});

test('audit.enabled false records no scan', async (t) => {
  const gateway = await startGateway(t, 'audit: {enabled: false, sample_rate: 1}');
  await gateway.scan({ response: PII_TEXTS.ssn });
  assert.deepEqual(await gateway.stored(), []);
});

test('a scan that went on without a stage, and one that failed, are recorded whatever the share', async (t) => {
  const broken: StageFactory = (() => ({
    name: 'pii_scanner',
    targets: ['response'],
    run() {
      throw new Error('the detector is broken');
    },
  })) as never;
  const pipeline = { stages: { pii_scanner: broken } } as never;
  const gateway = await startGateway(t, 'audit: {sample_rate: 0}', { pipeline });
  await gateway.scan({ response: 'Hello.' });
  await gateway.scan({ response: 'Hello.', policyIds: ['pol_unknown'] });
  const rows = await gateway.stored();
  assert.deepEqual(resultsOf(rows), ['flagged', 'error']);
  assert.deepEqual(
    rows.map(({ degraded }) => degraded),
    [1, 0],
  );
});

test('audit.table_name is the name of the table', async (t) => {
  const gateway = await startGateway(t, 'audit: {table_name: Scans_2026, sample_rate: 1}');
  await gateway.scan({ response: 'Hello.' });
  assert.equal((await gateway.stored('Scans_2026')).length, 1);
});

test('a scan that an allowlist lets through is recorded, and is a link of the chain', async (t) => {
  const text = 'allowlists: {exempt_ips: [127.0.0.1]}\naudit: {sample_rate: 0}';
  const gateway = await startGateway(t, text);
  await gateway.scan({ response: PII_TEXTS.ssn });
  const rows = await gateway.stored();
  assert.deepEqual(
    rows.map(({ kind, action, result }) => [kind, action, result]),
    [
      ['act', 'scan.bypassed', 'done'],
      ['scan', 'scan', 'bypassed'],
    ],
  );
  assert.equal(rows[0]?.sequence, 1);
  assert.equal(rows[1]?.reason, 'allowlist: address');
});

test('compliance.audit_logging records reloads with who has asked for them', async (t) => {
  const gateway = await startGateway(t, '', { enableReload: true });
  const admin = gateway.addKey({ name: 'ops', role: 'admin' });
  gateway.write('audit: {sample_rate: 0.3}');
  const headers = { Authorization: `Bearer ${admin}` };
  await gateway.gateway.reloader.reload();
  gateway.write('audit: {sample_rate: 0.4}');
  const reload = () => gateway.call('/reload-config', { method: 'POST', headers });
  await until(async () => (await reload()).status === 200, 'the key is known');
  const acts = await gateway.stored();
  assert.deepEqual(
    acts.map(({ sequence }) => sequence),
    acts.map((_, index) => index + 1),
  );
  // That the key has come is an act as well, as soon as it is noticed.
  const rows = acts.filter(({ action }) => action === 'config.reloaded');
  assert.deepEqual(
    rows.map(({ client_id }) => client_id),
    ['system', 'ops'],
  );
  assert.deepEqual(at(JSON.parse(String(rows[1]?.detail)), 'changed'), ['audit.sample_rate']);
});

test('compliance.audit_logging false records no act', async (t) => {
  const gateway = await startGateway(t, 'compliance: {audit_logging: false}');
  gateway.write('compliance: {audit_logging: false}\naudit: {sample_rate: 0.3}');
  await gateway.gateway.reloader.reload();
  assert.deepEqual(await gateway.stored(), []);
});

test('nothing is opened where nothing is recorded', async (t) => {
  const gateway = await startGateway(
    t,
    'audit: {enabled: false}\ncompliance: {audit_logging: false}',
  );
  await gateway.scan({ response: 'Hello.' });
  assert.deepEqual(readdirSync(gateway.folder).sort(), ['gateway-keys', 'gateway.yaml']);
  const { body } = await gateway.call('/health');
  assert.equal(at(body, 'checks.database'), 'disabled');
  assert.equal((await gateway.call('/ready')).status, 200);
});

test('statements of the database are counted', async (t) => {
  const gateway = await startGateway(t, `${LOOPBACK}audit: {sample_rate: 1}`);
  assert.match(await gateway.metrics(), /^gateway_database_pool_size 1$/m);
  await gateway.scan({ response: 'Hello.' });
  await until(
    async () => /gateway_database_queries_total\{type="insert"\} 1/.test(await gateway.metrics()),
    'the row is written',
  );
  assert.match(await gateway.metrics(), /gateway_audit_rows_total\{result="written"\} 1/);
  assert.match(await gateway.metrics(), /gateway_database_query_duration_seconds_count [1-9]/);
});
