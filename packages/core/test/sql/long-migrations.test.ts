import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, spawnProgram, temporaryFolder } from '@probity/test-support';
import pg from 'pg';
import type { SqlDatabase } from '../../src/sql/database.ts';
import type { Migration } from '../../src/sql/migration.ts';
import type { MigrationProgress } from '../../src/sql/migrator.ts';
import { migrate, pendingMigrations } from '../../src/sql/migrator.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import { openDatabase } from '../programs/database.ts';
import { programPath } from '../support.ts';
import { countRuns, createItems, fill } from './slices.ts';

const ROWS = 12_000;

/** Addresses of empty databases. */
const empty: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  sqlite: async (t) => `sqlite:${join(temporaryFolder(t).path, 'test.db')}`,
  postgres: async (t) => (await createTestDatabase(t)).url,
};

for (const [name, createEmpty] of Object.entries(empty)) {
  describe(`${name}: migrations in slices`, () => {
    const open = async (t: TestContext) => {
      const url = await createEmpty(t);
      const database = openDatabase(url);
      t.after(() => database.close());
      await createItems(database, ROWS);
      return { url, database };
    };

    test('a migration in slices rewrites each row once and is recorded', async (t) => {
      const { database } = await open(t);
      assert.deepEqual(await migrate(database, [fill]), [fill.name]);
      assert.deepEqual(await countRuns(database), { 1: ROWS });
      assert.deepEqual(await migrate(database, [fill]), []);
      assert.deepEqual(await countRuns(database), { 1: ROWS });
    });

    test('a killed migration continues after its last slice', async (t) => {
      const { url, database } = await open(t);
      const program = await spawnProgram(process.execPath, [programPath('killed-migration'), url], {
        test: t,
      });
      await program.exited;
      const before = await countRuns(database);
      assert.ok((before[0] ?? 0) > 0 && (before[1] ?? 0) > 0, JSON.stringify(before));
      assert.deepEqual(await pendingMigrations(database, [fill]), [fill.name]);
      assert.deepEqual(await migrate(database, [fill]), [fill.name]);
      assert.deepEqual(await countRuns(database), { 1: ROWS });
    });

    test('processes that migrate in slices together rewrite each row once', async (t) => {
      const { url, database } = await open(t);
      const other = openDatabase(url);
      t.after(() => other.close());
      const applied = await Promise.all([migrate(database, [fill]), migrate(other, [fill])]);
      assert.deepEqual(applied.flat(), [fill.name]);
      assert.deepEqual(await countRuns(database), { 1: ROWS });
    });

    test('a migration in slices reports its rows', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const { database } = await open(t);
      const reported: MigrationProgress[] = [];
      let isMigrating = true;
      const ticking: SqlDatabase = {
        ...database,
        async transaction(work, options) {
          const result = await database.transaction(work, options);
          setImmediate(() => isMigrating && t.mock.timers.tick(5_000));
          return result;
        },
      };
      const onProgress = (progress: MigrationProgress) => reported.push(progress);
      await migrate(ticking, [fill], { onProgress });
      isMigrating = false;
      const done = reported.flatMap(({ rows }) => rows?.done ?? []);
      assert.ok(done.length > 1);
      assert.deepEqual(
        done,
        done.toSorted((a, b) => a - b),
      );
      for (const { migration, number, count, rows } of reported) {
        assert.deepEqual([migration, number, count], [fill.name, 1, 1]);
        if (rows) assert.equal(rows.total, ROWS);
      }
    });

    test('slices without a place for their condition are refused', async (t) => {
      const { database } = await open(t);
      const everywhere: Migration = {
        name: 'test/0003_all',
        slices: { table: 'items', key: 'id', statement: 'update items set runs = 0' },
      };
      await assert.rejects(
        migrate(database, [everywhere]),
        /test\/0003_all failed: slices.statement must contain :rows once\./,
      );
    });
  });
}

describe('postgres: long migrations', () => {
  const sleeping: Migration = {
    name: 'test/0001_sleep',
    statements: [{ postgres: 'select pg_sleep(1.5)', sqlite: 'select 1' }],
  };

  async function open(t: TestContext): Promise<{ url: string; database: SqlDatabase }> {
    const { url } = await createTestDatabase(t);
    const database = createPostgresDatabase({ url });
    t.after(() => database.close());
    return { url, database };
  }

  test('a migration takes longer than the statement timeout', async (t) => {
    const { url } = await createTestDatabase(t);
    const database = createPostgresDatabase({ url, statementTimeoutMs: 1_000 });
    t.after(() => database.close());
    assert.deepEqual(await migrate(database, [sleeping]), [sleeping.name]);
    await assert.rejects(
      database.reader.execute('select pg_sleep(1.5)', []),
      /canceling statement due to statement timeout/,
    );
  });

  test("a migration takes longer than the timeouts of the host's pool", async (t) => {
    const { url, drop } = await createTestDatabase();
    const limits = { statement_timeout: 1_000, query_timeout: 1_000 };
    const pool = new pg.Pool({ connectionString: url, ...limits });
    t.after(() => pool.end().then(drop));
    const database = createPostgresDatabase({ pool });
    assert.deepEqual(await migrate(database, [sleeping]), [sleeping.name]);
  });

  test('a migration is repeated until no deadlock is in the way', async (t) => {
    const { database } = await open(t);
    await database.transaction(({ execute }) => execute('create sequence attempts', []));
    const contended: Migration = {
      name: 'test/0001_contended',
      statements: [
        `do $$ begin if nextval('attempts') < 8 then
          raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$`,
      ],
    };
    assert.deepEqual(await migrate(database, [contended]), [contended.name]);
  });

  test('a table can be read while a migration waits for its lock', async (t) => {
    const { database } = await open(t);
    await createItems(database, 1);
    let release = () => {};
    let held = () => {};
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const holder = database.transaction(async ({ execute }) => {
      await execute('select id from items', []);
      held();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    await isHeld;
    const alter: Migration = {
      name: 'test/0001_alter',
      statements: ['alter table items add column note text'],
    };
    const migrating = migrate(database, [alter]);
    await untilLockIsAwaited(database);
    const { rows } = await database.reader.execute('select id from items', []);
    release();
    await holder;
    assert.equal(rows.length, 1);
    assert.deepEqual(await migrating, [alter.name]);
  });
});

async function untilLockIsAwaited({ reader }: SqlDatabase): Promise<void> {
  for (;;) {
    const { rows } = await reader.execute('select pid from pg_locks where not granted', []);
    if (rows.length > 0) return;
    await delay(5);
  }
}

test('sqlite: a migration waits longer than the busy timeout', async (t) => {
  const path = join(temporaryFolder(t).path, 'test.db');
  const holder = createSqliteDatabase({ path });
  const database = createSqliteDatabase({ path, busyTimeoutMs: 20 });
  t.after(() => Promise.all([holder.close(), database.close()]));
  await migrate(database, []);
  let migrating: Promise<string[]> | undefined;
  await holder.transaction(async () => {
    migrating = migrate(database, [
      { name: 'test/0001_a', statements: ['create table a (id integer)'] },
    ]);
    await assert.rejects(
      database.transaction(async () => undefined),
      /Another transaction holds the database file/,
    );
    await delay(100);
  });
  assert.deepEqual(await migrating, ['test/0001_a']);
});
