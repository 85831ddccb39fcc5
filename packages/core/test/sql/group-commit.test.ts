import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SqlSession } from '../../src/sql/session.ts';
import { addEntry, countEntries, openWatched } from './connections.ts';

function commitsIn(executed: readonly string[]): number {
  return executed.filter((sql) => sql === 'COMMIT').length;
}

test('transactions that wait at the same time share a commit', async (t) => {
  const { database, executed } = await openWatched(t);
  await Promise.all(Array.from({ length: 100 }, () => addEntry(database)));
  assert.equal(await countEntries(database), 100);
  const commits = commitsIn(executed);
  assert.ok(commits >= 1 && commits <= 10, `${commits} commits`);
});

test('a transaction resolves only after its group has been committed', async (t) => {
  const { database, executed } = await openWatched(t);
  const commits = await Promise.all(
    Array.from({ length: 5 }, () => addEntry(database).then(() => commitsIn(executed))),
  );
  assert.ok(
    commits.every((count) => count >= 1),
    String(commits),
  );
});

test('a failing member of a group commit is rolled back alone, even by a constraint', async (t) => {
  const { database } = await openWatched(t);
  const results = await Promise.allSettled([
    addEntry(database, 'first'),
    database.transaction(async (session) => {
      await session.execute('insert into entries (id) values (77)', []);
      await session.execute('insert into entries (id) values (77)', []);
    }),
    addEntry(database, 'third'),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal(await countEntries(database), 2);
});

test('when the disk is full, a group commit fails as a whole or per member, and work continues', async (t) => {
  const { database, connections } = await openWatched(t);
  const [writer] = connections;
  const pages = Number(writer?.pragma('page_count', { simple: true }));
  writer?.pragma(`max_page_count = ${pages + 20}`);
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, () => addEntry(database, 'x'.repeat(3_000))),
  );
  const rejected = results.filter((result) => result.status === 'rejected');
  assert.ok(rejected.length > 0);
  for (const { reason } of rejected) assert.equal((reason as { code: string }).code, 'SQLITE_FULL');
  assert.equal(await countEntries(database), 60 - rejected.length);
  writer?.pragma('max_page_count = 100000');
  await addEntry(database);
  assert.equal(await countEntries(database), 61 - rejected.length);
});

test('when a group commit fails, every member rejects and nothing is stored', async (t) => {
  const { database } = await openWatched(t);
  await database.transaction((session) =>
    session.execute(
      'create table strict (ref integer references entries (id) deferrable initially deferred)',
      [],
    ),
  );
  const dangling = database.transaction((session) =>
    session.execute('insert into strict (ref) values (404)', []),
  );
  const results = await Promise.allSettled([addEntry(database), dangling, addEntry(database)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  assert.equal(await countEntries(database), 0);
  await addEntry(database);
  assert.equal(await countEntries(database), 1);
});

test('a member of a group commit sees no writes of a failed one', async (t) => {
  const { database } = await openWatched(t);
  const count = async (session: SqlSession) =>
    (await session.execute<{ n: number }>('select count(*) as n from entries', [])).rows[0]?.n;
  const failing = database.transaction(async (session) => {
    await session.execute('insert into entries (text) values (?)', ['lost']);
    throw new Error('undone');
  });
  const [first, second] = await Promise.allSettled([failing, database.transaction(count)]);
  assert.equal(first.status, 'rejected');
  assert.deepEqual(second, { status: 'fulfilled', value: 0 });
});

test('a statement after SQLite has ended the transaction is refused, not committed by itself', async (t) => {
  const { database } = await openWatched(t);
  await addEntry(database);
  const swallowing = database.transaction(async (session) => {
    await session
      .execute('insert or rollback into entries (id) values (1)', [])
      .catch(() => undefined);
    await session.execute('insert into entries (id) values (2)', []);
  });
  await assert.rejects(swallowing, /The transaction has ended/);
  assert.equal(await countEntries(database), 1);
});

test('a transaction that is alone needs no savepoint, and leaves nothing when it fails', async (t) => {
  const { database, executed } = await openWatched(t);
  await assert.rejects(
    database.transaction(async (session) => {
      await session.execute('insert into entries (text) values (?)', ['lost']);
      throw new Error('undone');
    }),
    /undone/,
  );
  assert.equal(await countEntries(database), 0);
  await addEntry(database);
  assert.equal(await countEntries(database), 1);
  assert.equal(executed.filter((sql) => sql.includes('SAVEPOINT')).length, 0);
});

test('the answers to a group call forth one group, not two that take turns', async (t) => {
  const { database, executed } = await openWatched(t);
  const clients = 16;
  const rounds = 10;
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  };
  // Half of them begin while the others commit, and an answer takes some turns to call forth a request.
  const client = async (number: number) => {
    await turns((number % 2) * 3);
    for (let round = 0; round < rounds; round += 1) {
      await addEntry(database);
      await turns(3);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  assert.equal(await countEntries(database), clients * rounds);
  const commits = commitsIn(executed);
  assert.ok(commits <= rounds + 5, `${commits} commits`);
});

test('savepoints of a group keep their pages in memory, a transaction that is alone in a file', async (t) => {
  const { database, connections } = await openWatched(t);
  const temporaryStore = () => connections[0]?.pragma('temp_store', { simple: true });
  await Promise.all([addEntry(database), addEntry(database)]);
  assert.equal(temporaryStore(), 2);
  await addEntry(database);
  assert.equal(temporaryStore(), 1);
});

test('a commit is synced to disk unless all transactions that share it may be deferred', async (t) => {
  const { database, connections } = await openWatched(t);
  const levels: unknown[] = [];
  const add = (durability?: 'full' | 'deferred') =>
    database.transaction(async (session) => {
      levels.push(connections[0]?.pragma('synchronous', { simple: true }));
      await session.execute('insert into entries (id) values (null)', []);
    }, durability && { durability });
  await add();
  await add('deferred');
  await Promise.all([add('deferred'), add('deferred')]);
  await Promise.all([add('deferred'), add(), add('deferred')]);
  await add('deferred');
  await add('full');
  assert.deepEqual(levels, [2, 1, 1, 1, 2, 2, 2, 1, 2]);
  assert.equal(await countEntries(database), 9);
});
