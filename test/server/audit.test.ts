import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import type { Runtime } from '@probity/core';
import { createRuntime, createSecretBox, createTenants } from '@probity/core';
import { coreMigrations, migrate } from '@probity/core/sql';
import { bootstrapOrganization } from '@probity/platform';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { migrations } from '@probity/standalone';
import { temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { webhookMigrations } from '@probity/webhooks/sql';
import { tableNames, withDatabase } from './open-database.ts';
import type { EmptyDatabase } from './support.ts';
import { bootstrap, emptyDatabases, run } from './support.ts';

const KEY = Buffer.alloc(32, 5);
const LAST_ENTRY = /; last entry org_\w+:\d+:[0-9a-f]{64}$/gm;

function execute(location: string, statement: string): Promise<unknown> {
  return withDatabase(location, (database) =>
    database.transaction((session) => session.execute(statement, [])),
  );
}

async function verify(
  t: TestContext,
  location: string,
  args: readonly string[] = [],
  env: Record<string, string | undefined> = {},
) {
  const program = run(t, ['audit', 'verify', '--database', location, ...args], env);
  const code = await program.exited;
  return {
    code,
    lines: program.stdout.replaceAll(LAST_ENTRY, '').split('\n').slice(0, -1),
    stderr: program.stderr,
  };
}

async function recordChanges({ audit, database }: Runtime, organizationId: string, count: number) {
  const by = { organizationId, system: 'test' };
  for (let change = 0; change < count; change += 1) {
    const target = { type: 'thing', id: String(change) };
    await database.transaction((session) =>
      audit.record(database.kernel(session), by, 'thing.changed', target),
    );
  }
}

/** Two organizations, with five entries and with one. */
async function createLogs(t: TestContext, empty: EmptyDatabase) {
  const location = await empty.create(t);
  return withDatabase(location, async (database) => {
    await migrate(database, migrations);
    const storage = createSqlPlatformStorage(database);
    const runtime = createRuntime({ database });
    const input = {
      organizationName: 'Acme',
      ownerEmail: 'ann@acme.example',
      plan: 'free',
    } as const;
    const { organizationId: first } = await bootstrapOrganization(runtime, { storage }, input);
    const { organizationId: second } = await bootstrapOrganization(runtime, { storage }, input);
    await recordChanges(runtime, first, 4);
    return { location, first, second };
  });
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`probity-server audit verify on ${database.name}`, { concurrency: true }, () => {
    it('audit verify prints one line for each organization, and exits 0 when all logs are intact', async (t) => {
      const { location, first, second } = await createLogs(t, database);
      const all = await verify(t, location);
      assert.deepEqual(all.lines, [
        `${first}: consistent, 5 entries, hash chain only`,
        `${second}: consistent, 1 entry, hash chain only`,
      ]);
      assert.deepEqual([all.code, all.stderr], [0, '']);
      const one = await verify(t, location, ['--organization', second]);
      assert.deepEqual(one.lines, [`${second}: consistent, 1 entry, hash chain only`]);
    });

    it('audit verify names the organization and entry of every fault, and exits 1', async (t) => {
      const { location, first, second } = await createLogs(t, database);
      const of = `where organization_id = '${first}' and sequence`;
      const tail = `delete from probity_audit_entries ${of} = 5`;
      const faults: Array<[string, string]> = [
        [tail, 'entry 5 is missing, 4 entries before it intact'],
        [
          `update probity_audit_entries set actor_id = 'mem_x' ${of} = 4`,
          'entry 4 was changed, 3 entries before it intact',
        ],
        [
          `delete from probity_audit_entries ${of} = 2`,
          'entry 2 is missing, 1 entry before it intact',
        ],
        [
          `delete from probity_audit_entries ${of} = 1`,
          'entry 1 is missing, 0 entries before it intact',
        ],
      ];
      for (const [statement, found] of faults) {
        await execute(location, statement);
        const { code, lines, stderr } = await verify(t, location);
        assert.deepEqual(lines, [
          `${first}: BROKEN, ${found}`,
          `${second}: consistent, 1 entry, hash chain only`,
        ]);
        assert.deepEqual([code, stderr], [1, 'probity-server: 1 audit log is broken\n']);
      }
      const other = await verify(t, location, ['--organization', second]);
      assert.equal(other.code, 0);
    });

    it('audit verify says which entries are keyed, and finds that the end of a keyed log was cut', async (t) => {
      const { location, first, second } = await createLogs(t, database);
      await withDatabase(location, (opened) => {
        const runtime = createRuntime({ database: opened, secretBox: createSecretBox([KEY]) });
        return recordChanges(runtime, first, 2);
      });
      const env = { PROBITY_ENCRYPTION_KEY: KEY.toString('base64') };
      const whole = await verify(t, location, [], env);
      assert.deepEqual(whole.lines, [
        `${first}: consistent, 7 entries, not sealed before entry 6`,
        `${second}: consistent, 1 entry, hash chain only`,
      ]);
      const of = `organization_id = '${first}'`;
      await execute(location, `delete from probity_audit_entries where ${of} and sequence = 7`);
      await execute(
        location,
        `update probity_audit_heads set sequence = 6, hash =
          (select hash from probity_audit_entries where ${of} and sequence = 6) where ${of}`,
      );
      const cut = await verify(t, location, ['--organization', first], env);
      const found = 'BROKEN, entry 6 is not the end that was sealed: the log was recomputed or cut';
      assert.deepEqual([cut.code, cut.lines], [1, [`${first}: ${found}`]]);
    });

    it('audit verify detects that the head of a log was removed', async (t) => {
      const { location, first, second } = await createLogs(t, database);
      await execute(location, 'delete from probity_audit_heads');
      const { code, lines } = await verify(t, location);
      assert.deepEqual(lines, [
        `${first}: BROKEN, entry 6 is missing, 5 entries before it intact`,
        `${second}: BROKEN, entry 2 is missing, 1 entry before it intact`,
      ]);
      assert.equal(code, 1);
    });
  });
}

describe('probity-server audit verify', () => {
  it('audit verify reports an unknown database or organization, and creates none', async (t) => {
    const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
    for (let round = 0; round < 2; round += 1) {
      const missing = await verify(t, location);
      assert.equal(missing.code, 1);
      assert.match(missing.stderr, /^probity-server: There is no database file .*probity\.db\n$/);
    }
    await bootstrap(location);
    const unknown = await verify(t, location, ['--organization', 'org_x']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no organization has the id "org_x"/);
  });

  it('audit verify reads the database of an application without a change, and refuses one without tables', async (t) => {
    const location = `sqlite:${temporaryFolder(t).path}/app.db`;
    const nothing = location.replace('app.db', 'empty.db');
    writeFileSync(nothing.slice('sqlite:'.length), '');
    const empty = await verify(t, nothing);
    assert.deepEqual([empty.code, /is empty\n$/.test(empty.stderr)], [1, true]);
    assert.equal(statSync(nothing.slice('sqlite:'.length)).size, 0);

    const embedded = [...coreMigrations, ...webhookMigrations];
    await withDatabase(location, (opened) => migrate(opened, embedded.slice(0, 5)));
    const early = await verify(t, location);
    assert.equal(early.code, 1);
    assert.match(
      early.stderr,
      /lacks \d+ migrations .*core\/0006_sealing_keys, .*probity\.migrate/,
    );
    const tables = await withDatabase(location, async (opened) => {
      await migrate(opened, embedded);
      await createTenants(opened).ensure('app:1');
      await createTenants(opened).ensure('app:2');
      return tableNames(opened);
    });
    const none = await verify(t, location);
    assert.deepEqual(none.lines, ['app:1: no entries', 'app:2: no entries']);
    assert.deepEqual(
      [none.code, none.stderr],
      [1, 'probity-server: 0 audit logs: there was nothing to verify\n'],
    );
    const secretBox = createSecretBox([KEY]);
    const end = await withDatabase(location, async (opened) => {
      await recordChanges(createRuntime({ database: opened, secretBox }), 'app:1', 2);
      return opened.kernel(opened.reader).findAuditHead('app:1');
    });
    const env = { PROBITY_ENCRYPTION_KEY: KEY.toString('base64') };
    const expected = `app:1:2:${end?.hash}`;
    const program = run(t, ['audit', 'verify', '--database', location, '--expect', expected], env);
    assert.equal(await program.exited, 0, program.stdout + program.stderr);
    assert.equal(
      program.stdout,
      `app:1: intact, 2 entries, keyed; last entry ${expected}\napp:2: no entries\n`,
    );
    for (const [place, found] of [
      [`app:1:3:${end?.hash}`, 'entry 3 is missing, which was expected'],
      [`app:1:1:${end?.hash}`, 'entry 1 has another hash than was expected'],
    ] as const) {
      const other = await verify(t, location, ['--expect', place], env);
      assert.deepEqual([other.code, other.lines.at(-1)], [1, `app:1: BROKEN, ${found}`]);
    }
    assert.deepEqual(await withDatabase(location, tableNames), tables);

    await execute(location, 'delete from probity_audit_entries');
    await execute(location, 'delete from probity_audit_heads');
    await withDatabase(location, (opened) =>
      recordChanges(createRuntime({ database: opened, secretBox }), 'app:1', 1),
    );
    const wiped = await verify(t, location, [], env);
    const found = 'app:1: BROKEN, entries consistent, but not sealed before entry 1';
    assert.deepEqual([wiped.code, wiped.lines[0]], [1, found]);
  });

  it('audit verify rejects an invalid command line', async (t) => {
    for (const args of [['audit', 'verify', 'all'], ['audit', 'verify', '--org', 'x'], ['audit']]) {
      assert.equal(await run(t, args).exited, 2, args.join(' '));
    }
  });
});
