import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tableNames, withDatabase } from './open-database.ts';
import { bootstrap, call, emptyDatabases, scanLeak, serve } from './support.ts';

/** Tables of a host that have the names of Probity's resources, but other columns. */
const HOST_TABLES = [
  'organizations',
  'members',
  'events',
  'jobs',
  'alerts',
  'scans',
  'sessions',
  'tenants',
  'webhooks',
  'ai_systems',
  'evidence_records',
  'nuggets',
  'corrections',
  'knowledge_imports',
  'integrations',
];

const HOST_SCHEMA = HOST_TABLES.flatMap((table) => [
  `create table ${table} (number integer primary key, organization_id text, label text)`,
  `create index ${table}_organization on ${table} (organization_id)`,
  `insert into ${table} values (1, 'acme', 'the first'), (2, 'acme', 'the second')`,
]);

describe('a database with tables of a host', () => {
  for (const empty of emptyDatabases) {
    it(`is migrated and used for scans on ${empty.name}, and the host's rows stay as they are`, async (t) => {
      const location = await empty.create(t);
      await withDatabase(location, (database) =>
        database.transaction(async ({ execute }) => {
          for (const statement of HOST_SCHEMA) await execute(statement, []);
        }),
      );
      const before = await hostRows(location);
      const owner = await bootstrap(location);
      const { url } = await serve(t, location);
      const scan = await scanLeak(url, owner.api_key);
      assert.equal(scan.status, 403);
      const alerts = await call(`${url}/api/v1/alerts`, owner.api_key);
      assert.equal(alerts.body.total, 1);
      const target = `${url}/v1/organizations/${owner.organization_id}`;
      assert.equal((await call(`${target}/usage`, owner.api_key)).status, 200);
      const { slug } = (await call(target, owner.api_key)).body;
      const deletion = await call(`${target}?confirm=${slug}`, owner.api_key, 'DELETE');
      assert.equal(deletion.status, 204);
      assert.deepEqual(await hostRows(location), before);
    });

    it(`every table and index of Probity has the prefix probity_ on ${empty.name}`, async (t) => {
      const location = await empty.create(t);
      await bootstrap(location);
      const names = await withDatabase(location, async (database) => {
        const indexes =
          database.dialect === 'sqlite'
            ? "select name from sqlite_master where type = 'index' and sql is not null"
            : `select c.relname as name from pg_class c
               where c.relnamespace = 'public'::regnamespace
               union all select conname from pg_constraint
               where connamespace = 'public'::regnamespace`;
        const { rows } = await database.reader.execute<{ name: string }>(indexes, []);
        return [...(await tableNames(database)), ...rows.map(({ name }) => name)];
      });
      assert.ok(names.length > 50);
      assert.deepEqual(
        names.filter((name) => !/^probity_[a-z_]+$/.test(name)),
        [],
      );
    });
  }
});

function hostRows(location: string): Promise<unknown[]> {
  return withDatabase(location, async ({ reader }) => {
    const tables: unknown[] = [];
    for (const table of HOST_TABLES) {
      const { rows } = await reader.execute(`select * from ${table} order by number`, []);
      tables.push(rows);
    }
    return tables;
  });
}
