import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestDatabase, temporaryFolder } from '@probity/test-support';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { probeEndpoints } from '../../src/http/status.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { coreMigrations } from '../../src/sql/migrations.ts';
import { migrate } from '../../src/sql/migrator.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import type { SqliteConnection } from '../../src/sql/sqlite-driver.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { sampleRouter } from '../http/sample.ts';

type Lifetime = Parameters<typeof serveKoa>[0];

/** A database whose disk can be made full, or which can be made read-only, and be helped again. */
interface Sickly {
  readonly database: SqlDatabase;
  fail(): Promise<void>;
  heal(): Promise<void>;
}

async function openSqlite(t: Lifetime): Promise<Sickly> {
  const connections: SqliteConnection[] = [];
  const database = createSqliteDatabase({
    path: join(temporaryFolder(t, 'disk').path, 'test.db'),
    open(path, busyTimeoutMs) {
      const connection = openSqliteFile(path, busyTimeoutMs);
      connections.push(connection);
      return connection;
    },
  });
  t.after(() => database.close());
  await migrate(database, coreMigrations);
  const [writer] = connections as [SqliteConnection];
  const pages = Number(writer.pragma('page_count', { simple: true }));
  const limit = async (count: number) => void writer.pragma(`max_page_count = ${count}`);
  return { database, fail: () => limit(pages + 2), heal: () => limit(1_000_000) };
}

async function openPostgres(t: Lifetime): Promise<Sickly> {
  const { url, drop } = await createTestDatabase();
  const database = createPostgresDatabase({ url, poolSize: 1 });
  t.after(async () => {
    await database.close();
    await drop();
  });
  await migrate(database, coreMigrations);
  const setReadOnly = async (value: string) => {
    const statement = `select set_config('default_transaction_read_only', '${value}', false)`;
    await database.reader.execute(statement, []);
  };
  return { database, fail: () => setReadOnly('on'), heal: () => setReadOnly('off') };
}

function write(database: SqlDatabase) {
  return database.transaction((session) =>
    session
      .kysely<{ probity_maintenance: { id: string; active: number; began_at: number } }>()
      .insertInto('probity_maintenance')
      .values({ id: `${Math.random()}${'x'.repeat(2_000)}`, active: 0, began_at: 0 })
      .execute(),
  );
}

/** Stores rows until one fails. */
async function writeUntilItFails(database: SqlDatabase): Promise<void> {
  for (let row = 0; row < 100; row += 1) {
    const failed = await write(database).then(
      () => false,
      () => true,
    );
    if (failed) return;
  }
  assert.fail('nothing failed');
}

function rowEndpoints(database: SqlDatabase) {
  const shared = { tag: 'Rows', path: '/rows', rateLimit: 'general', summary: 'Rows' } as const;
  return [
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'addRow',
      permission: 'webhooks:write',
      responses: { 204: { description: 'Stored' } },
      handler: async ({ reply }) => {
        await write(database);
        return reply(204);
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'countRows',
      permission: 'alerts:read',
      responses: { 200: { description: 'The count', schema: z.int() } },
      handler: async ({ reply }) => {
        const { rows } = await database.reader.execute('select id from probity_maintenance', []);
        return reply(200, rows.length);
      },
    }),
  ];
}

for (const [name, open] of [
  ['sqlite, with a full disk', openSqlite],
  ['postgres, turned read-only', openPostgres],
] as const) {
  describe(`on ${name}`, () => {
    it('a service is not ready from the first write that fails until one succeeds', async (t) => {
      const { database, fail, heal } = await open(t);
      const checks = [{ name: 'database', check: () => database.ping() }];
      const endpoints = probeEndpoints(checks, () => new Date());
      const url = await serveKoa(t, sampleRouter({}, generalErrors, endpoints));
      const ready = async () => (await fetch(`${url}/ready`)).status;
      const health = async () => (await fetch(`${url}/health`)).status;
      assert.deepEqual([await ready(), await health()], [200, 200]);
      await fail();
      await writeUntilItFails(database);
      assert.deepEqual([await ready(), await health()], [503, 503]);
      assert.deepEqual([await ready(), await health()], [503, 503]);
      await heal();
      assert.deepEqual([await ready(), await health()], [200, 200]);
      const { rows } = await database.reader.execute('select id from probity_write_probes', []);
      assert.deepEqual(rows, []);
    });

    it('a write is 503 with Retry-After while the database rejects writes, and a read is 200', async (t) => {
      const { database, fail, heal } = await open(t);
      const url = await serveKoa(t, sampleRouter({}, generalErrors, rowEndpoints(database)));
      const rows = async (method: string) => {
        const response = await fetch(`${url}/rows`, { method, headers: as('owner') });
        return [response.status, response.headers.get('retry-after')];
      };
      await fail();
      await writeUntilItFails(database);
      assert.deepEqual(await rows('POST'), [503, '5']);
      assert.deepEqual(await rows('GET'), [200, null]);
      await heal();
      assert.deepEqual(await rows('POST'), [204, null]);
    });
  });
}
