import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase } from '@probity/test-support';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { toProbityError } from '../../src/errors.ts';
import { createKyselyDatabase } from '../../src/sql/kysely-database.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';

const connectTimeoutMs = 30;

async function openPool(t: TestContext): Promise<pg.Pool> {
  const { url, drop } = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  t.after(async () => {
    if (!pool.ending) await pool.end();
    await drop();
  });
  return pool;
}

const isNoConnection = (error: unknown) => {
  assert.match(String(error), /No database connection became free within 30 ms.*sessionOf/);
  assert.equal(toProbityError(error).status, 503);
  return true;
};

test('a read and a transaction that get no connection of the pool are unavailable, later ones work', async (t) => {
  const pool = await openPool(t);
  const database = createPostgresDatabase({ pool, connectTimeoutMs });
  const held = await pool.connect();
  let ran = false;
  const late = database.transaction(async () => {
    ran = true;
  });
  await assert.rejects(late, isNoConnection);
  await assert.rejects(database.ping(), isNoConnection);
  held.release();
  await database.ping();
  assert.deepEqual([ran, pool.idleCount, pool.waitingCount], [false, 1, 0]);
});

test('the wait for a connection ends when the host ends its pool meanwhile', async (t) => {
  const pool = await openPool(t);
  const database = createPostgresDatabase({ pool, connectTimeoutMs });
  const held = await pool.connect();
  const waiting = database.ping();
  const ending = pool.end();
  held.release();
  await assert.rejects(waiting, isNoConnection);
  await ending;
});

test('a Kysely whose only connection is in use answers unavailable instead of waiting for ever', async (t) => {
  const pool = await openPool(t);
  const dialects = [
    new PostgresDialect({ pool }),
    new SqliteDialect({ database: openSqliteFile(':memory:', 0) as never }),
  ];
  for (const dialect of dialects) {
    const db = new Kysely<object>({ dialect });
    const database = createKyselyDatabase(db, { connectTimeoutMs });
    let ran = false;
    await db.transaction().execute(async () => {
      await assert.rejects(database.ping(), isNoConnection);
      const late = database.transaction(async () => {
        ran = true;
      });
      await assert.rejects(late, isNoConnection);
    });
    await database.ping();
    assert.equal(ran, false);
    await db.destroy();
  }
});

for (const sendsNames of [undefined, true]) {
  const how = sendsNames ? 'with names' : 'by default';
  test(`statements on a pool of the host, ${how}, survive DISCARD ALL on its connections`, async (t) => {
    const pool = await openPool(t);
    const database = createPostgresDatabase({
      pool,
      ...(sendsNames && { preparedStatements: true }),
    });
    const named = { name: 'probity_one' };
    const prepared = async () => {
      const { rows } = await pool.query("select name from pg_prepared_statements where name <> ''");
      return rows.length;
    };
    await database.reader.execute('select 1', [], named);
    assert.equal(await prepared(), sendsNames ? 1 : 0);
    await pool.query('discard all');
    await database.reader.execute('select 1', [], named);
    await pool.query('discard all');
    await database.transaction((session) => session.execute('select 1', [], named));
  });

  test(`a transaction on a pool of the host, ${how}, survives DISCARD ALL on its connection`, async (t) => {
    const pool = await openPool(t);
    const options = sendsNames ? { preparedStatements: true } : {};
    const database = createPostgresDatabase({ pool, ...options });
    const run = () =>
      database.transaction((session) => session.execute('select 1', [], { name: 'probity_one' }));
    await run();
    await pool.query('discard all');
    assert.equal((await run()).changes, 1);
  });
}

for (const [title, open] of [
  ['a pool', (pool: pg.Pool) => createPostgresDatabase({ pool, lockTimeoutMs: 50 })],
  [
    'a Kysely',
    (pool: pg.Pool) => {
      const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
      return createKyselyDatabase(db as never, { lockTimeoutMs: 50 });
    },
  ],
] as const) {
  test(`a transaction that the host leaves open ends in 503 for those on ${title} of the host that need its rows`, async (t) => {
    const { url, drop } = await createTestDatabase();
    const [own, host] = [new pg.Pool({ connectionString: url }), new pg.Client(url)];
    const limited = new pg.Pool({ connectionString: url, options: '-c statement_timeout=7000' });
    t.after(async () => {
      await Promise.all([own.end(), limited.end(), host.end()]);
      await drop();
    });
    await host.connect();
    await host.query('create table rows_of_host as select 1 as id');
    await host.query('begin');
    await host.query('select * from rows_of_host for update');
    const database = open(own);
    const read = () =>
      database.transaction((session) =>
        session.execute('select * from rows_of_host for update', []),
      );
    await assert.rejects(read(), (error) => toProbityError(error).status === 503);
    const setting = () =>
      database.transaction((session) => session.execute(`show lock_timeout`, []));
    assert.deepEqual((await setting()).rows, [{ lock_timeout: '50ms' }]);
    const { rows } = await own.query('show lock_timeout');
    assert.deepEqual(rows, [{ lock_timeout: '0' }], 'statements of the host are not limited');
    await host.query('commit');
    assert.equal((await read()).rows.length, 1);
    const other = open(limited);
    const unchanged = await other.transaction((session) =>
      session.execute('show lock_timeout', []),
    );
    assert.deepEqual(unchanged.rows, [{ lock_timeout: '0' }], 'the host has a limit');
  });
}

test("PostgreSQL's statement timeout and lock timeout are answered 503", async (t) => {
  const pool = await openPool(t);
  const database = createPostgresDatabase({ pool });
  const failing = (sql: string) =>
    database.transaction((session) => session.execute(sql, [])).catch(toProbityError);
  const timeouts = [
    "set local statement_timeout = '5ms'; select pg_sleep(5)",
    `set local lock_timeout = '5ms'; do $$ begin raise lock_not_available; end $$`,
  ];
  for (const sql of timeouts) {
    const error = await failing(sql);
    assert.deepEqual(
      [(error as { status?: number }).status, (error as { headers?: object }).headers],
      [503, { 'Retry-After': '5' }],
    );
  }
});
