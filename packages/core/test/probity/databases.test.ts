import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase, temporaryFolder } from '@probity/test-support';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../../src/logging/logger.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { DatabaseOption } from '../../src/probity/database-option.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import { createNotes } from './world.ts';

interface Offered {
  /** What the host passes as `database`. */
  readonly database: DatabaseOption;
  /** Uses what the host passed, which Probity must leave open. */
  isUsable?(): Promise<unknown>;
  close?(): unknown;
}

type Create = (t: TestContext) => Promise<Offered>;

const Sqlite = createRequire(import.meta.url)('better-sqlite3');

const KEY = Buffer.alloc(32, 3).toString('base64');

const SQLITE_WORKS = process.versions.node.startsWith('20.');

const OFFERED: Readonly<Record<string, Create>> = {
  memory: async () => ({ database: 'memory' }),
  'the URL of a SQLite file': async (t) => ({
    database: `sqlite:${join(temporaryFolder(t).path, 'app.db')}`,
  }),
  'a database of @probity/core/sql': async (t) => {
    const database = createSqliteDatabase({ path: join(temporaryFolder(t).path, 'app.db') });
    return { database, isUsable: () => database.ping(), close: () => database.close() };
  },
  'the URL of a PostgreSQL database': async (t) => ({
    database: (await createTestDatabase(t)).url,
  }),
  'a pool of pg': async (t) => {
    const pool = new pg.Pool({ connectionString: (await createTestDatabase(t)).url, max: 2 });
    return { database: pool, isUsable: () => pool.query('select 1'), close: () => pool.end() };
  },
  'a Kysely on PostgreSQL': async (t) => {
    const pool = new pg.Pool({ connectionString: (await createTestDatabase(t)).url, max: 2 });
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) });
    return { database: db, isUsable: () => pool.query('select 1'), close: () => db.destroy() };
  },
  ...(SQLITE_WORKS && {
    'a better-sqlite3 database': async (t) => {
      const own = new Sqlite(join(temporaryFolder(t).path, 'app.db'));
      return {
        database: own,
        isUsable: async () => own.exec('select 1'),
        close: () => own.close(),
      };
    },
    'a Kysely on SQLite': async (t) => {
      const database = new Sqlite(join(temporaryFolder(t).path, 'app.db'));
      const db = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database }) });
      const isUsable = async () => database.exec('select 1');
      return { database: db, isUsable, close: () => db.destroy() };
    },
  }),
};

for (const [name, create] of Object.entries(OFFERED)) {
  test(`createProbity on ${name} migrates once, serves, and leaves what the host passed open`, async (t) => {
    const { database, isUsable, close } = await create(t);
    const options = { database, encryptionKey: KEY };
    const probity = createNotes(options);
    const applied = await probity.migrate();
    if (name !== 'memory') assert.ok(applied.includes('notes/0001_notes'), applied.join(', '));
    assert.deepEqual(await probity.migrate(), []);
    await probity.start();
    const response = await probity.fetch(new Request('http://host/probity/caller'));
    assert.deepEqual(
      [response.status, await response.json()],
      [200, { organizationId: 'acme', memberId: 'ann' }],
    );
    const stored = probity.database;
    assert.equal(await stored.kernel(stored.reader).hasTenant('acme'), true);
    await probity.stop();
    await isUsable?.();
    await close?.();
  });
}

test('createProbity without migrations names the call that applies them', async (t) => {
  const probity = createNotes({ database: `sqlite:${join(temporaryFolder(t).path, 'app.db')}` });
  await assert.rejects(probity.ready(), /lacks tables of Probity .*await probity\.migrate\(\)/);
  await probity.migrate();
  await probity.ready();
  await probity.stop();
});

test('createProbity seals under a key file that it creates beside the SQLite file', async (t) => {
  const path = join(temporaryFolder(t).path, 'app.db');
  const logged: unknown[] = [];
  const info: Logger['info'] = (_message, fields) => logged.push(fields?.path);
  const logger = { ...silentLogger, info };
  const first = createNotes({ database: `sqlite:${relative('.', path)}`, logger });
  await first.migrate();
  assert.deepEqual(logged, [`${path}.key`], 'the creation is logged with the path');
  assert.equal(statSync(`${path}.key`).mode & 0o777, 0o600);
  const sealed = first.services.notes.seal('text');
  assert.ok(!readFileSync(path).includes('text') && sealed.startsWith('v1.'));
  await first.stop();
  const other = createNotes({ database: `sqlite:${path}`, encryptionKey: KEY });
  await assert.rejects(other.migrate(), /sealed under the encryption key .*not under/);
  await other.stop();
});

test('rotateKeys seals anew under a new key of the file, or the first of those that are passed', async (t) => {
  const database = `sqlite:${join(temporaryFolder(t).path, 'app.db')}` as const;
  const first = createNotes({ database });
  await first.migrate();
  const { keyId, keptIn, retiredKeyIds } = await first.rotateKeys();
  assert.equal(keptIn.length, 1);
  assert.ok(keptIn[0]?.endsWith(`app.db.key.${retiredKeyIds[0]}`));
  assert.ok(first.services.notes.seal('text').startsWith(`v1.${keyId}.`));
  await first.stop();
  const present = readFileSync(`${database.slice('sqlite:'.length)}.key`, 'utf8').trim();
  const second = createNotes({ database, encryptionKey: `${KEY},${present}` });
  assert.deepEqual((await second.rotateKeys()).retiredKeyIds, [keyId]);
  await second.stop();
  const third = createNotes({ database, encryptionKey: KEY });
  await third.ready();
  await third.stop();
  const memory = createNotes();
  await assert.rejects(memory.rotateKeys(), /No key is stored/);
  await memory.stop();
});

test('createProbity in memory writes no key file', async () => {
  const probity = createNotes();
  await probity.ready();
  assert.equal(existsSync('probity.key'), false);
  await probity.stop();
});

test('createProbity refuses a better-sqlite3 database in memory', async (t) => {
  if (!SQLITE_WORKS) return t.skip('better-sqlite3 12 runs on Node 20');
  const probity = createNotes({ database: new Sqlite(':memory:') });
  await assert.rejects(probity.ready(), /in memory has one connection only/);
});
