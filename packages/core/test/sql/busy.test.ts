import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestLifetime } from '@probity/test-support';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import type { BusyWait } from '../../src/sql/busy.ts';
import { busyDelayMs, isBusy, retryWhileBusy } from '../../src/sql/busy.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import type { SqliteConnection } from '../../src/sql/sqlite-driver.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';
import { programPath } from '../support.ts';
import { addEntry, countEntries, openWatched } from './connections.ts';

const busyError = (code = 'SQLITE_BUSY') =>
  Object.assign(new Error('database is locked'), { code });

test('a host commits its own transaction while writes of the same process wait for it', async (t) => {
  const { database, path } = await openWatched(t, { busyTimeoutMs: 120_000 });
  const host = openHost(t, path);
  host.exec('BEGIN IMMEDIATE');
  const writes = Promise.all(Array.from({ length: 20 }, () => addEntry(database)));
  // A wait within SQLite would end here, with an error after the two minutes.
  await delay(100);
  assert.equal(await countEntries(database), 0);
  host.exec('COMMIT');
  await writes;
  assert.equal(await countEntries(database), 20);
});

test('after the timeout a SQLite transaction fails with what holds the file, how long it waited and what to do', async (t) => {
  const { database, path } = await openWatched(t, { busyTimeoutMs: 60 });
  const host = openHost(t, path);
  host.exec('BEGIN IMMEDIATE');
  await assert.rejects(addEntry(database), (error: Error & { code?: string }) => {
    const waited = /holds the database file .*test\.db; waited (\d+) ms/.exec(error.message);
    assert.ok(Number(waited?.[1]) >= 60, error.message);
    assert.match(error.message, /Commit or roll back .*\(sessionOf\)/);
    assert.equal(error.code, 'SQLITE_BUSY');
    assert.ok(isBusy(error.cause));
    return true;
  });
  host.exec('COMMIT');
  await addEntry(database);
});

test('a SQLite transaction submitted while others wait has its full timeout', async (t) => {
  const { database, path } = await openWatched(t, { busyTimeoutMs: 400 });
  const host = openHost(t, path);
  host.exec('BEGIN IMMEDIATE');
  let nowMs = 0;
  const now = t.mock.method(performance, 'now', () => nowMs);
  /** Each attempt reads the time. */
  const attempts = async (count: number) => {
    const enough = now.mock.callCount() + count;
    while (now.mock.callCount() < enough) await delay(1);
  };
  const early = assert.rejects(addEntry(database), { code: 'SQLITE_BUSY' });
  await attempts(3);
  nowMs = 390;
  const late = addEntry(database);
  await attempts(3);
  nowMs = 410;
  await early;
  host.exec('COMMIT');
  await late;
  assert.equal(await countEntries(database), 1);
});

test('a SQLite file that the host holds in rollback mode is read and written after its transaction', async (t) => {
  const path = join(temporaryFolder(t).path, 'test.db');
  const host = openHost(t, path);
  host.exec('create table entries (id integer primary key, text text)');
  host.exec('BEGIN EXCLUSIVE');
  const database = createSqliteDatabase({ path, busyTimeoutMs: 120_000 });
  t.after(() => database.close());
  const writing = addEntry(database);
  const reading = countEntries(database);
  await delay(100);
  host.exec('COMMIT');
  await writing;
  assert.ok((await reading) >= 0);
  host.exec('select * from entries');
  assert.equal(host.pragma('journal_mode', { simple: true }), 'wal');
});

test('a host that opens connections with a busy timeout of its own is not waited for synchronously', async (t) => {
  const { path } = await openWatched(t);
  const connections: SqliteConnection[] = [];
  const database = createSqliteDatabase({
    path,
    open(file) {
      const connection = openSqliteFile(file, 5_000);
      connections.push(connection);
      return connection;
    },
  });
  t.after(() => database.close());
  for (const connection of connections)
    assert.equal(connection.pragma('busy_timeout', { simple: true }), 0);
});

test('a host that writes on its own connection is never blocked by a transaction of ours', async (t) => {
  const { database, path } = await openWatched(t);
  const host = openHost(t, path);
  const insert = host.prepare("insert into entries (text) values ('host')");
  for (let round = 0; round < 50; round += 1) {
    const writes = [addEntry(database), addEntry(database)];
    await new Promise((resolve) => setImmediate(resolve));
    insert.run();
    await Promise.all(writes);
  }
  assert.equal(await countEntries(database), 150);
});

test('two processes that write to one SQLite file lose no transaction', async (t) => {
  const { database, path } = await openWatched(t);
  const args = [programPath('entries'), path, '300'];
  const programs = await Promise.all(
    [1, 2].map(() => spawnProgram(process.execPath, args, { test: t })),
  );
  await Promise.all(programs.map((program) => program.waitForLine(({ done }) => done === true)));
  assert.equal(await countEntries(database), 600);
});

test('attempts on a busy SQLite file grow from one to twenty milliseconds, with jitter', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 100].map((attempt) => busyDelayMs(attempt, 1)),
    [1, 2, 5, 10, 20, 20, 20],
  );
  assert.equal(busyDelayMs(4, 0), 10);
});

test('a busy SQLite file is tried again until the timeout, any other error not at all', async () => {
  const { busy, waits } = simulateWait(100);
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    if (attempts < 4) throw busyError('SQLITE_BUSY_RECOVERY');
    return 'done';
  };
  assert.equal(await retryWhileBusy(busy, attempt), 'done');
  assert.deepEqual(waits, [1, 2, 5]);
  const always = () => {
    throw busyError();
  };
  await assert.rejects(retryWhileBusy(busy, always), /file app\.db; waited 118 ms/);
  const broken = () => {
    throw busyError('SQLITE_CORRUPT');
  };
  await assert.rejects(retryWhileBusy(busy, broken), { code: 'SQLITE_CORRUPT' });
});

function simulateWait(timeoutMs: number): { busy: BusyWait; waits: number[] } {
  const waits: number[] = [];
  let nowMs = 0;
  const busy: BusyWait = {
    path: 'app.db',
    timeoutMs,
    now: () => nowMs,
    random: () => 1,
    async wait(delayMs) {
      waits.push(delayMs);
      nowMs += delayMs;
    },
  };
  return { busy, waits };
}

/** A connection of the host, with better-sqlite3's default timeout. */
function openHost(t: TestLifetime, path: string): SqliteConnection {
  const connection = openSqliteFile(path, 5_000);
  t.after(() => {
    connection.close();
  });
  return connection;
}
