import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase, until } from '@probity/test-support';
import { Client } from 'pg';
import { startCluster, WORKERS } from '../cluster/cluster-world.ts';

const CONFIG =
  'rate_limiting: {enabled: false}\n' +
  'scanning: {stages: [{name: pii_scanner}]}\n' +
  'audit: {enabled: false}\n';
/** Statements wait for the lock of a test, however long it holds it. */
const PATIENT = 'database: {ssl_mode: disable, query_timeout_sec: 3600}\n';

test('an Idempotency-Key has one answer in all processes', async (t) => {
  const cluster = await startCluster(t, CONFIG);
  const headers = { Authorization: `Bearer ${cluster.token}`, 'Idempotency-Key': 'order-1' };
  const send = (response: string) => cluster.scan({ response }, headers);
  assert.equal((await send('Hello.')).status, 200);
  const answers = await Promise.all(Array.from({ length: 12 }, () => send('Hello.')));
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers.get('idempotent-replayed')], [200, 'true']);
  }
  const ids = await Promise.all(answers.map(async (answer) => JSON.stringify(await answer.json())));
  assert.equal(new Set(ids).size, 1);
});

test('answers an Idempotency-Key once when kill -9 ends the process that holds its claim', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { PROBITY_GATEWAY_DATABASE_URL: url };
  const cluster = await startCluster(t, CONFIG + PATIENT, env);
  const send = (key: string) => {
    const headers = { Authorization: `Bearer ${cluster.token}`, 'Idempotency-Key': key };
    return cluster.scan({ response: 'Hello.' }, headers);
  };
  assert.equal((await send('order-1')).status, 200);
  const table = await holdTable(t, url);

  let isCut = false;
  const cut = send('order-2').catch(() => {
    isCut = true;
  });
  await until(async () => (await table.waiting()) === 1, 'the answer is about to be stored');
  assert.equal((await send('order-2')).status, 409);
  // Whose the claim is cannot be seen: one after the other, as the port is let go with the last.
  for (const pid of cluster.workers()) {
    if (isCut) break;
    process.kill(pid, 'SIGKILL');
    const isReplaced = async () =>
      !cluster.workers().includes(pid) && (await cluster.metric('gateway_workers')) === WORKERS;
    await until(isReplaced, 'it is replaced');
  }
  await cut;
  assert.ok(isCut);

  // The claim has ended with its process: the next request works on the key.
  const next = send('order-2');
  await until(async () => (await table.waiting()) === 2, 'the claim is taken over');
  await table.release();
  // PostgreSQL lets both waiting statements go at once: either answer may be the stored one.
  const first = await next;
  const second = await send('order-2');
  const replayed = second.headers.get('idempotent-replayed');
  assert.deepEqual([first.status, second.status, replayed], [200, 200, 'true']);
  assert.equal(await first.text(), await second.text());
  assert.equal(await table.rows(), 2);
});

/** Lets nobody write to the table of the answers until it is released; all may read it. */
async function holdTable(t: TestContext, url: string) {
  const client = new Client(url);
  // The database is dropped first, which ends its connections.
  client.on('error', () => undefined);
  await client.connect();
  t.after(() => client.end());
  const count = async (from: string) => {
    const { rows } = await client.query(`select count(*)::int as count from ${from}`);
    return rows[0].count as number;
  };
  await client.query('begin');
  await client.query('lock table gateway_idempotency in exclusive mode');
  return {
    waiting: () =>
      count("pg_locks where not granted and relation = 'gateway_idempotency'::regclass"),
    rows: () => count('gateway_idempotency'),
    release: () => client.query('commit'),
  };
}
