import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase, until } from '@probity/test-support';
import type { SqlDatabase } from '../../src/sql/database.ts';
import type { PostgresOptions } from '../../src/sql/postgres.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import type { SqlSession } from '../../src/sql/session.ts';

async function openWithEntries(
  t: TestContext,
  options: Partial<PostgresOptions> = {},
): Promise<SqlDatabase> {
  const { url, drop } = await createTestDatabase();
  const database = createPostgresDatabase({ url, ...options });
  t.after(async () => {
    await database.close();
    await drop();
  });
  await run(database, 'create table entries (id integer primary key, n bigint not null)');
  await run(database, 'insert into entries values (1, 0), (2, 0)');
  return database;
}

function run(database: SqlDatabase, sql: string): Promise<unknown> {
  return database.transaction((session) => session.execute(sql, []));
}

async function readValue(session: SqlSession, id: number): Promise<unknown> {
  const { rows } = await session.execute<{ n: unknown }>('select n from entries where id = $1', [
    id,
  ]);
  return rows[0]?.n;
}

function increment(session: SqlSession, id: number): Promise<unknown> {
  return session.execute('update entries set n = n + 1 where id = $1', [id]);
}

async function pidOf(session: SqlSession): Promise<number> {
  const { rows } = await session.execute<{ pid: number }>('select pg_backend_pid() as pid', []);
  return rows[0]?.pid as number;
}

async function terminate(database: SqlDatabase, pid: number): Promise<void> {
  await database.reader.execute('select pg_terminate_backend($1)', [pid]);
}

/** Waits until the server has connections like this, or has none any more. */
function untilThereAre(database: SqlDatabase, isSo: 'some' | 'none', where: string): Promise<void> {
  return until(async () => {
    const { rows } = await database.reader.execute(
      `select pid from pg_stat_activity where datname = current_database() and ${where}`,
      [],
    );
    return rows.length > 0 === (isSo === 'some');
  }, `there are ${isSo} where ${where}`);
}

test('a serialization failure repeats the transaction', async (t) => {
  const database = await openWithEntries(t);
  let attempts = 0;
  await database.transaction(async (session) => {
    attempts += 1;
    await session.execute('set transaction isolation level repeatable read', []);
    await readValue(session, 1);
    if (attempts === 1) await run(database, 'update entries set n = 10 where id = 1');
    await increment(session, 1);
  });
  assert.equal(attempts, 2);
  assert.equal(await readValue(database.reader, 1), 11);
});

test('of two transactions in a deadlock one is repeated, and both are kept', async (t) => {
  const database = await openWithEntries(t);
  let attempts = 0;
  let arrived = 0;
  let letGo = () => {};
  const bothArrived = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const lockInOrder = (first: number, second: number) =>
    database.transaction(async (session) => {
      attempts += 1;
      await increment(session, first);
      arrived += 1;
      if (arrived === 2) letGo();
      await bothArrived;
      await increment(session, second);
    });
  await Promise.all([lockInOrder(1, 2), lockInOrder(2, 1)]);
  // Three, and one more for each time that the repeated one gets ahead of the other again.
  assert.ok(attempts >= 3, `${attempts}`);
  assert.deepEqual(
    [await readValue(database.reader, 1), await readValue(database.reader, 2)],
    [2, 2],
  );
});

test('a connection that the server ends between two statements is replaced, the work repeated', async (t) => {
  const database = await openWithEntries(t);
  let attempts = 0;
  await database.transaction(async (session) => {
    attempts += 1;
    await increment(session, 1);
    if (attempts === 1) {
      const pid = await pidOf(session);
      await terminate(database, pid);
      await untilThereAre(database, 'none', `pid = ${pid}`);
    }
    await increment(session, 1);
  });
  assert.equal(attempts, 2);
  assert.equal(await readValue(database.reader, 1), 2);
});

test('a connection that the server ends during a statement is replaced, the work repeated', async (t) => {
  const database = await openWithEntries(t);
  let attempts = 0;
  await database.transaction(async (session) => {
    attempts += 1;
    await increment(session, 1);
    if (attempts > 1) return;
    const pid = await pidOf(session);
    const sleeping = session.execute('select pg_sleep(600)', []);
    const ending = untilThereAre(database, 'some', `pid = ${pid} and wait_event = 'PgSleep'`);
    await Promise.all([sleeping, ending.then(() => terminate(database, pid))]);
  });
  assert.equal(attempts, 2);
  assert.equal(await readValue(database.reader, 1), 1);
});

test('idle connections that the server closes are replaced transparently', async (t) => {
  const database = await openWithEntries(t);
  await Promise.all(Array.from({ length: 5 }, () => run(database, 'select 1')));
  await database.reader.execute(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    [],
  );
  await untilThereAre(database, 'none', 'pid <> pg_backend_pid()');
  await Promise.all(Array.from({ length: 5 }, () => run(database, 'update entries set n = n + 1')));
  assert.equal(await readValue(database.reader, 1), 5);
});

test("an error thrown by a transaction's work is passed on without a retry", async (t) => {
  const database = await openWithEntries(t);
  let attempts = 0;
  const failing = database.transaction(async (session) => {
    attempts += 1;
    await increment(session, 1);
    throw new Error('no');
  });
  await assert.rejects(failing, /^Error: no$/);
  assert.equal(attempts, 1);
  assert.equal(await readValue(database.reader, 1), 0);
});

test('a transaction that swallowed a failed statement is not reported as committed', async (t) => {
  const database = await openWithEntries(t);
  const swallowing = database.transaction(async (session) => {
    await increment(session, 1);
    await session.execute('insert into entries values (1, 1)', []).catch(() => undefined);
  });
  await assert.rejects(swallowing, /rolled back/);
  assert.equal(await readValue(database.reader, 1), 0);
});

test('a statement that takes too long is ended', async (t) => {
  // Long enough for every other statement here, however busy the machine is.
  const database = await openWithEntries(t, { statementTimeoutMs: 3_000 });
  await assert.rejects(database.reader.execute('select pg_sleep(600)', []), { code: '57014' });
  await database.ping();
});

test('more transactions than connections wait for their turn', async (t) => {
  const database = await openWithEntries(t, { poolSize: 2 });
  const work = Array.from({ length: 20 }, () =>
    database.transaction((session) => increment(session, 1)),
  );
  await Promise.all(work);
  assert.equal(await readValue(database.reader, 1), 20);
});

test('a PostgreSQL bigint is read as a number', async (t) => {
  const database = await openWithEntries(t);
  await run(database, `update entries set n = ${Number.MAX_SAFE_INTEGER} where id = 1`);
  assert.equal(await readValue(database.reader, 1), Number.MAX_SAFE_INTEGER);
});

test('the error for an unreachable PostgreSQL server names the server and not the password', async (t) => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const database = createPostgresDatabase({ url: `postgres://user:hunter2@${host}:1/db` });
    t.after(() => database.close());
    const attempts = [() => database.ping(), () => run(database, 'select 1')];
    for (const attempt of attempts) {
      await assert.rejects(attempt, (error: Error) => {
        assert.match(
          error.message,
          new RegExp(`server ${host}:1 cannot be reached: .*ECONNREFUSED`),
        );
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      });
    }
  }
});

test('only a transaction that may be deferred commits without waiting for the disk', async (t) => {
  const database = await openWithEntries(t, { poolSize: 1 });
  // Off in the server of the tests.
  await run(database, 'set synchronous_commit = on');
  const level = async (session: SqlSession) => {
    const { rows } = await session.execute('show synchronous_commit', []);
    await increment(session, 1);
    return (rows[0] as { synchronous_commit: string }).synchronous_commit;
  };
  const levels = [
    await database.transaction(level, { durability: 'deferred' }),
    await database.transaction(level),
    await database.transaction(level, { durability: 'full' }),
  ];
  assert.deepEqual(levels, ['off', 'on', 'on']);
  assert.equal(await readValue(database.reader, 1), 3);
});

test('a transaction that reads in order takes an index instead of sorting the rows of a small table', async (t) => {
  const database = await openWithEntries(t, { poolSize: 1 });
  await run(database, 'create table places (id text primary key, place integer)');
  await run(database, 'create index places_place on places (place)');
  await run(database, 'analyze places');
  const plan = async (session: SqlSession) => {
    const query = 'explain select id from places order by place limit 8';
    const { rows } = await session.execute<{ 'QUERY PLAN': string }>(query, []);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const inOrder = await database.transaction(plan, { readsInOrder: true });
  assert.match(inOrder, /Index Scan using places_place/);
  assert.doesNotMatch(inOrder, /Sort|JIT/);
  assert.match(await database.transaction(plan), /Sort/);
});
