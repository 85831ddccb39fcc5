import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spawnProgram, temporaryFolder } from '@probity/test-support';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';
import { programPath } from '../support.ts';
import { addEntry, countEntries, openWatched } from './connections.ts';

test('every connection stays in WAL with full syncs and foreign keys after the first write', async (t) => {
  const { database, connections } = await openWatched(t);
  await addEntry(database);
  assert.equal(await countEntries(database), 1);
  assert.equal(connections.length, 2);
  for (const connection of connections) {
    const read = (name: string) => connection.pragma(name, { simple: true });
    assert.deepEqual(
      [read('journal_mode'), read('synchronous'), read('foreign_keys')],
      ['wal', 2, 1],
    );
  }
});

test('a statement is prepared once however often it runs', async (t) => {
  const { database, prepared } = await openWatched(t);
  for (let index = 0; index < 5; index += 1) await addEntry(database);
  assert.equal(prepared.filter((sql) => sql.startsWith('insert')).length, 1);
});

test('a closed SQLite database is complete in one file', async (t) => {
  const { database, path } = await openWatched(t);
  await addEntry(database);
  await database.close();
  assert.ok(!existsSync(`${path}-wal`) || statSync(`${path}-wal`).size === 0);
  const reopened = await openWatched(t, { path });
  assert.equal(await countEntries(reopened.database), 1);
});

test('a write waits for another process that holds the lock', async (t) => {
  const { database, path } = await openWatched(t, { busyTimeoutMs: 120_000 });
  const holder = await spawnProgram(process.execPath, [programPath('lock-holder'), path, '300'], {
    test: t,
  });
  await holder.waitForLine(({ locked }) => locked === true);
  await addEntry(database);
  assert.equal(await countEntries(database), 1);
});

test('a write fails on a lock that is never released, and the next one works', async (t) => {
  const { database, path } = await openWatched(t, { busyTimeoutMs: 1 });
  const rival = openSqliteFile(path, 0);
  rival.exec('BEGIN IMMEDIATE');
  await assert.rejects(addEntry(database), { code: 'SQLITE_BUSY' });
  rival.exec('COMMIT');
  rival.close();
  await addEntry(database);
  assert.equal(await countEntries(database), 1);
});

test('the error for a SQLite path that cannot be opened names it', (t) => {
  const folder = temporaryFolder(t).path;
  mkdirSync(join(folder, 'folder.db'));
  writeFileSync(join(folder, 'text.db'), 'no database'.repeat(500));
  for (const name of ['missing/test.db', 'folder.db', 'text.db']) {
    const path = join(folder, name);
    assert.throws(
      () => createSqliteDatabase({ path }),
      (error: Error) => error.message.startsWith(`The database file ${path} cannot be `),
    );
  }
});

test('the error for a SQLite file that is not writable names it', async (t) => {
  const folder = temporaryFolder(t).path;
  const path = join(folder, 'test.db');
  openSqliteFile(path, 0).exec('create table t (a)');
  chmodSync(path, 0o444);
  chmodSync(folder, 0o555);
  const args = [programPath('open-unprivileged'), path];
  const program = await spawnProgram(process.execPath, args, { test: t });
  const { message } = await program
    .waitForLine(() => true)
    // Only root could remove it as it is.
    .finally(() => chmodSync(folder, 0o755));
  assert.match(String(message), /^The database file .*test\.db cannot be (opened|written): /);
});

test('Kysely does not open separate transactions', async (t) => {
  const { database } = await openWatched(t);
  const db = database.reader.kysely<{ entries: { id: number } }>();
  await assert.rejects(
    db.transaction().execute(async () => undefined),
    /database\.transaction/,
  );
});

test('statements prepared earlier read a column that another process adds', async (t) => {
  const { database, path } = await openWatched(t);
  await addEntry(database, 'a');
  const read = () => database.reader.execute('select * from entries', []);
  assert.deepEqual((await read()).rows, [{ id: 1, text: 'a' }]);
  const other = openSqliteFile(path, 1_000);
  other.exec('alter table entries add column note text');
  other.close();
  assert.deepEqual((await read()).rows, [{ id: 1, text: 'a', note: null }]);
});
