import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { backupSqlite } from '../../src/sql/backup.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';

/** A database whose one table counts from 1 on. */
async function createCounting(folder: string) {
  const path = join(folder, 'source.db');
  const database = createSqliteDatabase({ path });
  const execute = (statement: string) =>
    database.transaction((session) => session.execute(statement, []));
  await execute('create table counts (value integer primary key)');
  return { path, database, insert: () => execute('insert into counts default values') };
}

async function readCounts(path: string): Promise<number[]> {
  const database = createSqliteDatabase({ path });
  const { rows } = await database.reader.execute<{ value: number }>(
    'select value from counts order by value',
    [],
  );
  await database.close();
  return rows.map(({ value }) => value);
}

test('a backup contains everything committed, without blocking writers', async (t) => {
  const folder = temporaryFolder(t, 'disk').path;
  const { path, database, insert } = await createCounting(folder);
  t.after(() => database.close());
  for (let index = 0; index < 10; index += 1) await insert();
  const target = join(folder, 'copy.db');
  const bytes = await backupSqlite({ path, target });
  await insert();
  assert.equal(bytes, statSync(target).size);
  assert.equal(statSync(target).mode & 0o777, 0o600);
  const names = readdirSync(folder).filter((name) => !name.startsWith('source.db'));
  assert.deepEqual(names, ['copy.db']);
  assert.deepEqual(
    await readCounts(target),
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
});

test('a backup that is blocked, canceled or without a source leaves no files', async (t) => {
  const folder = temporaryFolder(t, 'disk').path;
  const { path, database } = await createCounting(folder);
  t.after(() => database.close());
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'taken'), 'mine');
  writeFileSync(join(folder, 'broken.db'), 'no database, but long enough to look like something');
  const copy = (name: string, from = path) =>
    backupSqlite({ path: from, target: join(other, name) });
  await assert.rejects(copy('taken'), /The file .*taken already exists/);
  await assert.rejects(copy('missing/copy.db'), /missing\/copy\.db cannot be written: ENOENT/);
  await assert.rejects(copy('copy.db', join(folder, 'broken.db')), /copy\.db cannot be written/);
  const target = join(other, 'copy.db');
  assert.equal(await backupSqlite({ path, target, isCanceled: () => true }), null);
  assert.deepEqual(readdirSync(other), ['taken']);
});
