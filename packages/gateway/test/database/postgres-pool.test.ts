import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase, testCertificate, until } from '@probity/test-support';
import pg from 'pg';
import { openPool } from '../../src/database/postgres-pool.ts';
import { logger, settings, startFront } from './world.ts';

type Client = pg.PoolClient;

async function connectionsOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text =
    "select count(*)::int as n from pg_stat_activity where application_name = 'probity-gateway' and datname = current_database()";
  const { rows } = await client.query<{ n: number }>(text);
  await client.end();
  return rows[0]?.n ?? 0;
}

test('database.pool_size connections are kept, and database.max_overflow more are opened at most', async (t) => {
  const { url } = await createTestDatabase(t);
  const pool = await openPool(
    url,
    settings({ pool_size: 2, max_overflow: 1, pool_timeout_sec: 0 }),
    logger,
  );
  t.after(() => pool.end());
  const clients = (await Promise.all([pool.connect(), pool.connect(), pool.connect()])) as Client[];
  assert.equal(await connectionsOf(url), 3);
  await assert.rejects(
    pool.connect(),
    /no connection is free, and database\.pool_timeout_sec is 0/,
  );
  for (const client of clients) client.release();
  await until(
    async () => (await connectionsOf(url)) === 2,
    'the connection of the overflow is closed',
  );
  assert.equal(pool.totalCount, 2);
});

test('database.pool_timeout_sec ends the wait for a free connection', async (t) => {
  const { url } = await createTestDatabase(t);
  const pool = await openPool(url, settings({ pool_timeout_sec: 3 }), logger);
  t.after(() => pool.end());
  const client = (await pool.connect()) as Client;
  await assert.rejects(pool.connect(), /timeout exceeded when trying to connect/);
  client.release();
  ((await pool.connect()) as Client).release();
});

test('database.query_timeout_sec cancels a statement that takes longer', async (t) => {
  const { url } = await createTestDatabase(t);
  const pool = await openPool(url, settings({ query_timeout_sec: 1 }), logger);
  t.after(() => pool.end());
  const client = (await pool.connect()) as Client;
  await assert.rejects(client.query('select pg_sleep(60)'), { code: '57014' });
  client.release();
});

test('database.ssl_mode decides whether connections are encrypted', async (t) => {
  const { url } = await createTestDatabase(t);
  const withTls = await startFront(t, url, await testCertificate());
  const plain = await startFront(t, url);
  const connects = async (
    front: typeof plain,
    ssl_mode: 'require' | 'prefer' | 'allow' | 'disable',
  ) => {
    const before = { ...front.counts };
    const pool = await openPool(front.url, settings({ ssl_mode }), logger);
    try {
      const client = (await pool.connect()) as Client;
      await client.query('select 1');
      client.release();
      return front.counts.tls > before.tls ? 'tls' : 'plain';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await pool.end();
    }
  };
  assert.equal(await connects(withTls, 'require'), 'tls');
  assert.equal(await connects(withTls, 'prefer'), 'tls');
  assert.equal(await connects(withTls, 'allow'), 'plain');
  assert.equal(await connects(withTls, 'disable'), 'plain');
  assert.equal(
    await connects(plain, 'require'),
    'The server does not support SSL connections; database.ssl_mode: prefer connects without encryption then',
  );
  assert.equal(await connects(plain, 'prefer'), 'plain');
  assert.equal(await connects(plain, 'allow'), 'plain');
  const strict = { ...withTls, url: `${withTls.url}?sslmode=verify-full` };
  assert.match(await connects(strict, 'require'), /certificate|self-signed/);
});
