import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { createTestDatabase, spawnProgram, temporaryFolder } from '@probity/test-support';
import type { SqlDatabase } from '../../src/sql/database.ts';
import type { Migration } from '../../src/sql/migration.ts';
import { coreMigrations } from '../../src/sql/migrations.ts';
import { migrate, pendingMigrations } from '../../src/sql/migrator.ts';
import { createTenants } from '../../src/tenants/tenants.ts';
import { newEvent } from '../../src/testing/records.ts';
import { hostConnections } from '../../src/testing/sql/host-transactions.ts';
import { openDatabase } from '../programs/database.ts';
import { programPath } from '../support.ts';

const first: Migration = { name: 'test/0001_a', statements: ['create table a (id integer)'] };
const second: Migration = { name: 'test/0002_b', statements: ['create table b (id integer)'] };

/** Addresses of empty databases without any table. */
const empty: Readonly<Record<string, (t: TestContext) => Promise<string>>> = {
  sqlite: async (t) => `sqlite:${join(temporaryFolder(t).path, 'test.db')}`,
  postgres: async (t) => (await createTestDatabase(t)).url,
};

for (const [name, createEmpty] of Object.entries(empty)) {
  const open = async (t: TestContext): Promise<SqlDatabase> => {
    const database = openDatabase(await createEmpty(t));
    t.after(() => database.close());
    return database;
  };

  describe(`${name}: migrations`, () => {
    test('a table of Probity that is missing is named with the call that creates it', async (t) => {
      const url = await createEmpty(t);
      const database = openDatabase(url);
      t.after(() => database.close());
      const lacks = (table: string) => (error: Error) => {
        assert.match(error.message, new RegExp(`lacks the table ${table}: .*probity\\.migrate`));
        assert.notEqual(error.cause, undefined);
        return true;
      };
      const reads = database.kernel(database.reader);
      await assert.rejects(reads.findEvent('evt_1'), lacks('probity_events'));
      await assert.rejects(createTenants(database).ensure('acme'), lacks('probity_tenants'));
      const [host] = hostConnections(url);
      const transaction = await host?.begin();
      assert.ok(transaction);
      const joined = database.kernel(transaction.session);
      await assert.rejects(joined.outbox.append(newEvent('acme')), lacks('probity_events'));
      await transaction.rollback();
    });

    test('jobs that are stored already get the event that they name', async (t) => {
      const database = await open(t);
      const index = coreMigrations.findIndex((each) => each.name === 'core/0013_job_events');
      await migrate(database, coreMigrations.slice(0, index));
      const facts = "'q', 'g', 0, null, 1, null, 'acme'";
      const failed = "'q', 'g', 1, 'e', 0, 'acme'";
      await database.transaction(async ({ execute }) => {
        for (const [id, payload] of [
          ['job_1', '{"deliveryId":"dlv_1","eventId":"evt \\"1\\""}'],
          ['job_2', '{}'],
        ]) {
          await execute(
            `insert into probity_jobs (id, payload, queue, group_key, due_at, lease_token, attempts,
              last_error, tenant_id) values ('${id}', '${payload}', ${facts})`,
            [],
          );
          await execute(
            `insert into probity_failed_jobs (id, payload, queue, group_key, attempts, last_error,
              failed_at, tenant_id) values ('${id}', '${payload}', ${failed})`,
            [],
          );
        }
      });
      await migrate(database, coreMigrations);
      for (const table of ['probity_jobs', 'probity_failed_jobs']) {
        const { rows } = await database.reader.execute<{ event_id: string | null }>(
          `select event_id from ${table} order by id`,
          [],
        );
        assert.deepEqual(
          rows.map((row) => row.event_id),
          ['evt "1"', null],
        );
      }
    });

    test('a table of the host that is missing is named by the error of the driver', async (t) => {
      const database = await open(t);
      const read = database.reader.execute('select * from orders', []);
      await assert.rejects(read, (error: Error) => {
        assert.match(error.message, /^(?:no such table: orders|relation "orders" does not exist)$/);
        return true;
      });
    });

    test('migrations run once, in order, and report each name', async (t) => {
      const database = await open(t);
      const told: string[] = [];
      const onApplied = (applied: string) => told.push(applied);
      assert.deepEqual(await pendingMigrations(database, [first, second]), [
        first.name,
        second.name,
      ]);
      assert.deepEqual(await migrate(database, [first], { onApplied }), [first.name]);
      assert.deepEqual(await pendingMigrations(database, [first, second]), [second.name]);
      assert.deepEqual(await migrate(database, [first, second], { onApplied }), [second.name]);
      assert.deepEqual(await migrate(database, [first, second], { onApplied }), []);
      assert.deepEqual(told, [first.name, second.name]);
      await database.reader.execute('select id from a, b limit 0', []).catch(() => undefined);
    });

    test('a failing migration leaves nothing behind, is named, and can be retried', async (t) => {
      const database = await open(t);
      const statements = [...second.statements, 'create table c (nonsense'];
      const broken = { ...second, statements };
      await assert.rejects(
        migrate(database, [first, broken]),
        /The migration test\/0002_b failed: /,
      );
      await assert.rejects(database.reader.execute('select id from b', []));
      assert.deepEqual(await migrate(database, [first, second]), [second.name]);
    });

    test('a migration edited after it was applied is rejected; layout does not count', async (t) => {
      const database = await open(t);
      await migrate(database, [first]);
      const relaid = { ...first, statements: ['create  table a\n  (id integer)'] };
      assert.deepEqual(await migrate(database, [relaid]), []);
      const edited = { ...first, statements: ['create table a (id text)'] };
      await assert.rejects(
        migrate(database, [edited]),
        /test\/0001_a differs from the version that was applied/,
      );
    });

    test('four processes that start together apply each migration exactly once', async (t) => {
      for (let round = 0; round < 3; round += 1) {
        const url = await createEmpty(t);
        const programs = await Promise.all(
          Array.from({ length: 4 }, () =>
            spawnProgram(process.execPath, [programPath('migrate'), url], { test: t }),
          ),
        );
        const lines = await Promise.all(
          programs.map((program) => program.waitForLine(({ applied }) => Array.isArray(applied))),
        );
        const applied = lines.flatMap((line) => line.applied as string[]);
        assert.deepEqual(applied.sort(), coreMigrations.map((migration) => migration.name).sort());
      }
    });
  });
}
