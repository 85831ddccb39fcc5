import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { until } from '@probity/test-support';
import { maskValue } from '../../src/compliance/personal-data.ts';
import { read } from '../config/read.ts';
import { PII_TEXTS } from '../texts.ts';
import { at, rowsOf, startGateway } from '../world.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const env = { PROBITY_ENCRYPTION_KEY: KEY };

function hashOf(label: string, value: string): string {
  const key = hkdfSync('sha256', Buffer.alloc(32, 7), '', `probity-gateway:${label}`, 32);
  return `hmac-sha256:${createHmac('sha256', Buffer.from(key)).update(value).digest('hex')}`;
}

/** What a scan of a text with a number of social security leaves in the log and in the table. */
async function valuesOf(t: Parameters<typeof startGateway>[0], text: string) {
  const gateway = await startGateway(t, text, { env });
  const { body } = await gateway.scan({ response: PII_TEXTS.ssn });
  assert.equal(at(body, 'error.code'), 'PII_DETECTED');
  const logged = gateway.records().find(({ message }) => message === 'scan');
  const rows = await gateway.stored();
  const all = JSON.stringify(rows) + gateway.lines.join('\n');
  assert.doesNotMatch(all, /536-22-8145/);
  const detail = rows[0] && JSON.parse(String(rows[0].detail));
  return { logged: at(logged, 'pii.0.value'), stored: at(detail, 'findings.0.value'), rows };
}

test('compliance.hash_pii_in_logs shows a keyed hash of values in logs and records', async (t) => {
  const { logged, stored } = await valuesOf(t, '');
  assert.equal(logged, hashOf('value', '536-22-8145'));
  assert.equal(stored, logged);
});

test('compliance.hash_pii_in_logs false shows values masked', async (t) => {
  const { logged, stored } = await valuesOf(t, 'compliance: {hash_pii_in_logs: false}');
  assert.equal(logged, '***-**-8145');
  assert.equal(stored, logged);
});

test('compliance.pii_retention_days 0 stores and logs nothing of personal data', async (t) => {
  const { logged, rows } = await valuesOf(t, 'compliance: {pii_retention_days: 0}');
  assert.equal(logged, undefined);
  assert.deepEqual(rows, []);
});

test('a value of a conversation, and one that came over several parts, are hashed as well', async (t) => {
  const gateway = await startGateway(t, 'audit: {sample_rate: 1}', { env });
  const call = { name: 'mail', arguments: JSON.stringify({ note: PII_TEXTS.ssn }) };
  await gateway.scan({
    messages: [
      { role: 'user', content: 'Hello.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: '1', type: 'function', function: call }],
      },
    ],
  });
  const logged = gateway.records().find(({ message }) => message === 'scan');
  assert.equal(at(logged, 'pii.0.value'), hashOf('value', '536-22-8145'));
});

for (const [value, masked] of [
  ['4539 1488 0343 6467', '**** **** **** 6467'],
  ['12345678', '********'],
  ['bob@example.com', '***@******e.com'],
] as const) {
  test(`${value} is masked as ${masked}`, () => assert.equal(maskValue(value), masked));
}

test('compliance.gdpr_mode records networks and hashed users, and no value that is not hashed', async (t) => {
  const text = 'compliance: {gdpr_mode: true, hash_pii_in_logs: false}';
  const gateway = await startGateway(t, text, { env });
  await gateway.scan({ response: PII_TEXTS.ssn, metadata: { user_id: 'alice' } });
  const [row] = await gateway.stored();
  assert.equal(row?.address, '127.0.0.0/24');
  assert.equal(row?.user_id, hashOf('user', 'alice'));
  const logged = gateway.records().find(({ message }) => message === 'scan');
  assert.doesNotMatch(JSON.stringify([row, logged]), /alice|-8145|127\.0\.0\.1/);
});

test('POST /erase-user deletes what is stored of a user, for administrators, and is recorded', async (t) => {
  const gateway = await startGateway(t, 'audit: {sample_rate: 1}');
  const admin = gateway.addKey({ name: 'ops', role: 'admin' });
  for (const user_id of ['alice', 'alice', 'bob']) {
    await gateway.scan({ response: 'Hello.', metadata: { user_id } });
  }
  const path = `${gateway.folder}/gateway.db`;
  await until(() => rowsOf(path).length === 3, 'the rows are written');
  await gateway.scan({ response: 'Hello.', metadata: { user_id: 'alice' } });
  const erase = (token: string, body: object) =>
    gateway.call('/erase-user', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  assert.equal((await erase(gateway.token, { user_id: 'alice' })).status, 403);
  await until(async () => (await erase(admin, {})).status === 422, 'the key is known');
  const { status, body } = await erase(admin, { user_id: 'alice' });
  assert.equal(status, 200);
  assert.deepEqual(body, { status: 'erased', deleted: 3 });
  const rows = await gateway.stored();
  // The key that was added is an act as well, as soon as the watch of the file sees it.
  const others = rows.filter(({ action }) => action !== 'key.added');
  assert.deepEqual(
    others.map(({ action, user_id, client_id }) => [action, user_id, client_id]),
    [
      ['scan', 'bob', 'app'],
      ['user.erased', null, 'ops'],
    ],
  );
});

test('compliance.hipaa_mode records every scan and keeps records for six years', async (t) => {
  const text = 'compliance: {hipaa_mode: true}\naudit: {sample_rate: 0, enabled: false}';
  const gateway = await startGateway(t, text);
  for (let count = 0; count < 5; count++) await gateway.scan({ response: 'Hello.' });
  assert.equal((await gateway.stored()).length, 5);
});

test('compliance.hipaa_mode overrides what contradicts it, with a warning for what the file says', async () => {
  const { config, issues } = await read(
    'server: {host: 127.0.0.1}\n' +
      'compliance: {hipaa_mode: true, audit_logging: false, pii_retention_days: 5}\n' +
      'audit: {retention_days: 30}\nstage_config: {pii_scanner: {fail_open: true}}',
  );
  assert.deepEqual(
    issues.map(({ path, message }) => `${path}: ${message}`),
    [
      'compliance.audit_logging: compliance.hipaa_mode overrides it: true',
      'compliance.pii_retention_days: compliance.hipaa_mode overrides it: 2190',
      'audit.retention_days: compliance.hipaa_mode overrides it: 2190',
      'stage_config.pii_scanner.fail_open: compliance.hipaa_mode overrides it: false',
    ],
  );
  assert.equal(config?.compliance.audit_logging, true);
  assert.equal(config?.audit.retention_days, 2_190);
  const longer = await read(
    'server: {host: 127.0.0.1}\ncompliance: {hipaa_mode: true}\naudit: {retention_days: 3000}',
  );
  assert.deepEqual(longer.issues, []);
  assert.equal(longer.config?.audit.retention_days, 3_000);
});

test('a table that the gateway itself, SQLite or PostgreSQL has is refused', async () => {
  const { issues } = await read('audit: {table_name: probity_tenants}');
  assert.equal(issues[0]?.path, 'audit.table_name');
});
