import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase, until } from '@probity/test-support';
import pg from 'pg';
import { startFront } from '../database/world.ts';
import { at, startGateway } from '../world.ts';

const MODE = 'database: {ssl_mode: disable, pool_timeout_sec: 1}\n';

async function countRows(url: string, table = 'gateway_audit'): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from "${table}"`);
  await client.end();
  return rows[0]?.n ?? 0;
}

test('scans are recorded in the PostgreSQL database that the environment names', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { PROBITY_GATEWAY_DATABASE_URL: url };
  const gateway = await startGateway(t, `${MODE}audit: {sample_rate: 1}`, { env });
  await until(async () => (await gateway.call('/ready')).status === 200, 'the gateway is ready');
  const { body } = await gateway.call('/ready');
  assert.equal(at(body, 'checks.database'), 'connected');
  assert.match(await gateway.metrics(), /^gateway_database_pool_size 20$/m);
  await gateway.scan({ response: 'Hello.' });
  await gateway.gateway.stop();
  assert.equal(await countRows(url), 1);
});

test('a server without TLS is refused by the default ssl_mode, and the gateway is not ready', async (t) => {
  const { url } = await createTestDatabase(t);
  const front = await startFront(t, url);
  const env = { PROBITY_GATEWAY_DATABASE_URL: front.url };
  const gateway = await startGateway(t, '', { env });
  const check = async () => String(at((await gateway.call('/ready')).body, 'checks.database'));
  await until(async () => (await check()).startsWith('error'), 'the first attempt has failed');
  const { status, body } = await gateway.call('/ready');
  assert.equal(status, 503);
  assert.equal(
    at(body, 'checks.database'),
    'error: The server does not support SSL connections; database.ssl_mode: prefer connects without encryption then',
  );
  // Scans are taken by whoever calls nevertheless.
  assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
});

test('rows wait while the database is down, and none is lost', async (t) => {
  const { url } = await createTestDatabase(t);
  const front = await startFront(t, url);
  const env = { PROBITY_GATEWAY_DATABASE_URL: front.url };
  const text = `${MODE}audit: {sample_rate: 1}\nserver: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {port: 0}, health_check: {port: 0, check_interval_sec: 1}}`;
  const gateway = await startGateway(t, text, { env });
  await until(async () => (await gateway.call('/ready')).status === 200, 'the gateway is ready');
  await front.stop();
  for (let count = 0; count < 5; count++) {
    assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
  }
  const database = async () => String(at((await gateway.call('/health')).body, 'checks.database'));
  await until(async () => (await database()).startsWith('error'), 'the probe has seen it');
  const health = await gateway.call('/health');
  assert.equal(health.status, 200);
  assert.equal(at(health.body, 'status'), 'degraded');
  assert.equal((await gateway.call('/ready')).status, 200);
  assert.match(await gateway.metrics(), /^gateway_audit_rows_waiting 5$/m);
  await front.start();
  await until(async () => (await countRows(url)) === 5, 'the rows are written');
  await until(async () => (await database()) === 'ok', 'the probe has seen it');
});

test('a reload makes the pool anew', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { PROBITY_GATEWAY_DATABASE_URL: url };
  const gateway = await startGateway(t, `${MODE}audit: {sample_rate: 1}`, { env });
  await gateway.scan({ response: 'Hello.' });
  gateway.write('database: {ssl_mode: disable, pool_size: 3}\naudit: {sample_rate: 1}');
  await gateway.gateway.reloader.reload();
  assert.match(await gateway.metrics(), /^gateway_database_pool_size 3$/m);
  await gateway.scan({ response: 'Hello.' });
  await gateway.gateway.stop();
  // Two scans and the reload.
  assert.equal(await countRows(url), 3);
});
