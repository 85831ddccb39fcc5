import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestClock, createTestDatabase, until } from '@probity/test-support';
import { ProbityError } from '../../src/errors.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { coreMigrations } from '../../src/sql/migrations.ts';
import { migrate } from '../../src/sql/migrator.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import type { SqlSession } from '../../src/sql/session.ts';
import { bindStorage } from '../../src/storage/bind.ts';
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { countJobs, newJob } from '../../src/testing/records.ts';
import { addEntry, countEntries, openWatched } from '../sql/connections.ts';

const nothing = async () => undefined;
const POOL_SIZE = 2;

async function openPostgres(t: TestContext) {
  const { url, drop } = await createTestDatabase();
  const database = createPostgresDatabase({ url, poolSize: POOL_SIZE });
  const observer = createPostgresDatabase({ url, poolSize: 1 });
  t.after(async () => {
    await Promise.all([database.close(), observer.close()]);
    await drop();
  });
  await migrate(database, coreMigrations);
  const storage = bindStorage(database, () => ({}));
  const unit = createUnitOfWork(database, createTestClock(), nothing);
  return { database, observer, storage, unit };
}

function isUndone(error: unknown): boolean {
  if (!(error instanceof ProbityError)) return false;
  return error.kind === 'unavailable' && error.headers['Retry-After'] === '1';
}

/** No transaction is left open on the server, and every connection of the pool can be had. */
async function assertNothingDangles(database: SqlDatabase, observer: SqlDatabase): Promise<void> {
  // A connection that the server ends is told of it before the server has forgotten it.
  await until(async () => {
    const { rows } = await observer.reader.execute<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database()
        and state like 'idle in transaction%'`,
      [],
    );
    return rows[0]?.n === 0;
  }, 'no transaction is open');
  let arrived = 0;
  let letGo = () => {};
  const allArrived = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const hold = () =>
    database.transaction(async (session) => {
      await session.execute('select 1', []);
      arrived += 1;
      if (arrived === POOL_SIZE) letGo();
      await allArrived;
    });
  await Promise.all(Array.from({ length: POOL_SIZE }, hold));
}

/** A statement that meets a serialization failure in this transaction. */
async function meetConflict(session: SqlSession, database: SqlDatabase): Promise<void> {
  await session.execute('set transaction isolation level repeatable read', []);
  await session.execute('select n from counters', []);
  await database.transaction((other) => other.execute('update counters set n = n + 1', []));
  await session.execute('update counters set n = n + 10', []);
}

async function createCounter(database: SqlDatabase): Promise<void> {
  await database.transaction(async (session) => {
    await session.execute('create table counters (n bigint not null)', []);
    await session.execute('insert into counters values (0)', []);
  });
}

async function readCounter(database: SqlDatabase): Promise<number | undefined> {
  const { rows } = await database.reader.execute<{ n: number }>('select n from counters', []);
  return rows[0]?.n;
}

test('a conflict that PostgreSQL reports is reported as such, and nothing is stored', async (t) => {
  const { database, observer, storage, unit } = await openPostgres(t);
  await createCounter(database);
  const conflicting = storage.transaction({ unit }, async (tx) => {
    await meetConflict(tx.session as SqlSession, observer);
    await tx.enqueueJobs([newJob()]);
  });
  const thrown = await conflicting.catch((error: unknown) => error);
  assert.equal((thrown as { code?: string }).code, '40001');
  assert.ok(isUndone(await unit.rollback(thrown)));
  assert.deepEqual([await countJobs(database), await readCounter(database)], [0, 1]);
  await assertNothingDangles(database, observer);
});

test('a conflict in the last step of a unit of work is reported as such', async (t) => {
  const { database, observer, unit } = await openPostgres(t);
  await createCounter(database);
  await unit.open();
  const committed = unit.commit((session) => meetConflict(session as SqlSession, observer));
  await assert.rejects(committed, isUndone);
  assert.equal(await readCounter(database), 1);
  await database.ping();
  await assertNothingDangles(database, observer);
});

test('a conflict at the start of a unit of work is retried transparently', async (t) => {
  const { database, observer } = await openPostgres(t);
  await createCounter(database);
  let attempts = 0;
  const unit = createUnitOfWork(database, createTestClock(), async (session) => {
    attempts += 1;
    if (attempts === 1) await meetConflict(session, observer);
    await database.kernel(session).enqueueJobs([newJob()]);
  });
  await unit.commit(nothing);
  assert.deepEqual([attempts, await countJobs(database)], [2, 1]);
});

test('when the server closes the connection, the request fails and leaves nothing open', async (t) => {
  const { database, observer, storage, unit } = await openPostgres(t);
  await storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
  await observer.reader.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    [],
  );
  const writing = storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
  const thrown = await writing.catch((error: unknown) => error);
  assert.ok(thrown instanceof Error);
  assert.ok(isUndone(await unit.rollback(thrown)));
  assert.equal(await countJobs(database), 0);
  await assertNothingDangles(database, observer);
});

test('when the server closes the connection before the commit, the commit rejects', async (t) => {
  const { database, observer, storage, unit } = await openPostgres(t);
  await storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
  await observer.reader.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    [],
  );
  await assert.rejects(unit.commit(nothing));
  assert.equal(await countJobs(database), 0);
  await assertNothingDangles(database, observer);
});

test('units of work beyond the pool size wait, and every connection is returned', async (t) => {
  const { database, observer, storage } = await openPostgres(t);
  const requests = Array.from({ length: 20 }, async (_, index) => {
    const unit = createUnitOfWork(database, createTestClock(), nothing);
    await storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
    if (index % 2) await unit.commit(nothing);
    else await unit.rollback(new Error('the handler failed'));
  });
  await Promise.all(requests);
  assert.equal(await countJobs(database), 10);
  await assertNothingDangles(database, observer);
});

test('on SQLite members of the group wait for an open unit, and commit with it', async (t) => {
  const { database, executed } = await openWatched(t);
  const unit = createUnitOfWork(database, createTestClock(), nothing);
  const opening = unit.open();
  const neighbors = [addEntry(database), addEntry(database)];
  const session = (await opening) as SqlSession;
  await session.execute('insert into entries (text) values (?)', ['unit']);
  assert.equal(await countEntries(database), 0);
  await unit.commit(nothing);
  await Promise.all(neighbors);
  assert.equal(await countEntries(database), 3);
  assert.equal(executed.filter((sql) => sql === 'COMMIT').length, 1);
});

test('on SQLite a unit that is undone takes none of its group with it', async (t) => {
  const { database } = await openWatched(t);
  const unit = createUnitOfWork(database, createTestClock(), nothing);
  const before = addEntry(database);
  const opening = unit.open();
  const after = addEntry(database);
  const session = (await opening) as SqlSession;
  await session.execute('insert into entries (text) values (?)', ['undone']);
  const failed = new Error('the handler failed');
  assert.equal(await unit.rollback(failed), failed);
  await Promise.all([before, after]);
  assert.equal(await countEntries(database), 2);
});
