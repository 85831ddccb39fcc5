import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase, until } from '@probity/test-support';
import { startCluster } from '../cluster/cluster-world.ts';
import { startFront } from '../database/world.ts';
import { rowsOf, startGateway } from '../world.ts';

function actsIn(folder: string): readonly string[] {
  return rowsOf(join(folder, 'gateway.db'))
    .filter(({ kind }) => kind === 'act')
    .map(({ action }) => String(action));
}

test('acts are in the database when they are answered: a kill -9 right after loses none', async (t) => {
  const cluster = await startCluster(t);
  assert.equal((await cluster.reload()).status, 200);
  const erased = await cluster.send('/erase-user', {
    method: 'POST',
    headers: { Authorization: `Bearer ${cluster.admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user_id: 'jane' }),
  });
  assert.equal(erased.status, 200);
  await cluster.program.kill9();
  assert.deepEqual(actsIn(cluster.folder), ['config.reloaded', 'user.erased']);
});

test('the same in a gateway of one process', async (t) => {
  const { gateway, folder } = await startGateway(t);
  await gateway.reloader.reload();
  assert.deepEqual(actsIn(folder), ['config.reloaded']);
});

test('a reload that cannot be recorded is in force, and its answer says that the record waits', async (t) => {
  const { url } = await createTestDatabase(t);
  const front = await startFront(t, url);
  const { gateway, call, write } = await startGateway(
    t,
    'database: {ssl_mode: disable, pool_timeout_sec: 1}',
    { env: { PROBITY_GATEWAY_DATABASE_URL: front.url } },
  );
  await until(async () => (await call('/ready')).status === 200, 'the gateway is ready');
  await front.stop();
  write('database: {ssl_mode: disable, pool_timeout_sec: 1}\naudit: {sample_rate: 1}');
  const { warnings, changed } = await gateway.reloader.reload();
  assert.deepEqual(changed, ['audit.sample_rate']);
  assert.deepEqual(warnings, [
    'the audit database does not answer: the record of this reload waits',
  ]);
  await front.start();
  await until(
    async () => (await gateway.reloader.reload()).warnings.length === 0,
    'the record of a reload is written',
  );
});
