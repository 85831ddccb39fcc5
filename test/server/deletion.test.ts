import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SqlDatabase } from '@probity/core/sql';
import { migrate } from '@probity/core/sql';
import { migrations } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { startHttpsReceiver, temporaryFolder, until } from '@probity/test-support';
import { openDatabase, tableNames } from './open-database.ts';
import {
  bootstrap,
  call,
  createWebhook,
  emptyDatabases,
  scanLeak,
  serveProcess,
} from './support.ts';

function connect(t: TestLifetime, location: string): SqlDatabase {
  const database = openDatabase(location);
  t.after(() => database.close());
  return database;
}

/** The tables with a row that contains one of the texts in any column. */
async function tablesThatHold(database: SqlDatabase, texts: readonly string[]): Promise<string[]> {
  const holding: string[] = [];
  for (const name of await tableNames(database)) {
    const { rows } = await database.reader.execute(`select * from "${name}"`, []);
    const content = JSON.stringify(rows);
    if (texts.some((text) => content.includes(text))) holding.push(name);
  }
  return holding.sort();
}

/** A job that is due much later, and one that was given up, for each organization. */
function storeJobs(database: SqlDatabase, ...organizations: readonly string[]): Promise<void> {
  return database.transaction(async (session) => {
    const tx = database.kernel(session);
    for (const tenantId of organizations) {
      const job = { tenantId, group: tenantId, payload: { to: tenantId } };
      const dueAt = new Date(Date.now() + 3_600_000);
      await tx.enqueueJobs([{ ...job, id: `later_${tenantId}`, queue: 'later', dueAt }]);
      await tx.enqueueJobs([
        { ...job, id: `failed_${tenantId}`, queue: 'failing', dueAt: new Date(0) },
      ]);
    }
    const now = new Date();
    const claimed = await tx.claimJobs({
      queue: 'failing',
      now,
      leaseUntil: now,
      leaseToken: 'w',
      limit: 2,
      groupCapacity: () => 2,
    });
    const failure = { error: 'no such mailbox', failedAt: now, attempts: 1 };
    for (const { id } of claimed) await tx.failJob(id, 'w', failure);
  });
}

interface ForeignKey {
  readonly table: string;
  readonly on_delete: string;
}

/** The tables whose rows are deleted with their organization, through one or several references. */
async function cascadingTables(database: SqlDatabase, names: readonly string[]) {
  const cascading = new Set(['probity_tenants']);
  for (let before = 0; before < cascading.size; ) {
    before = cascading.size;
    for (const name of names) {
      const pragma = `pragma foreign_key_list("${name}")`;
      const { rows } = await database.reader.execute<ForeignKey>(pragma, []);
      const goesToo = rows.some(
        ({ table, on_delete }) => on_delete === 'CASCADE' && cascading.has(table),
      );
      if (goesToo) cascading.add(name);
    }
  }
  return cascading;
}

describe('deletion of an organization', () => {
  for (const database of emptyDatabases) {
    it(`deleting an organization removes it from every table on ${database.name}`, async (t) => {
      const receiver = await startHttpsReceiver({ test: t });
      const location = await database.create(t);
      const gone = await bootstrap(location);
      const kept = await bootstrap(location);
      const [first, second] = await Promise.all([
        serveProcess(t, location, { receiver }),
        serveProcess(t, location, { receiver }),
      ]);
      for (const { api_key: key } of [gone, kept]) {
        const webhook = await createWebhook(first.url, key, receiver);
        const scan = await scanLeak(first.url, key);
        const ofScan = scan.body.governance.scan_id;
        const isOfScan = ({ rawBody }: { rawBody: Buffer }) => rawBody.includes(ofScan);
        await receiver.waitFor(isOfScan);
        assert.ok(webhook.id);
      }
      const raw = connect(t, location);
      await storeJobs(raw, gone.organization_id, kept.organization_id);
      const filled = await tablesThatHold(raw, [gone.organization_id]);
      for (const table of [
        ...['alerts', 'api_keys', 'audit_entries', 'events', 'failed_jobs', 'jobs', 'scans'],
        'webhooks',
      ]) {
        assert.ok(filled.includes(`probity_${table}`), `${table} was to be filled`);
      }

      const { slug } = (
        await call(`${first.url}/v1/organizations/${gone.organization_id}`, gone.api_key)
      ).body;
      const target = `${first.url}/v1/organizations/${gone.organization_id}?confirm=${slug}`;
      assert.equal((await call(target, gone.api_key, 'DELETE')).status, 204);
      for (const { url } of [first, second]) {
        assert.equal((await call(`${url}/v1/roles`, gone.api_key)).status, 401);
        assert.equal((await scanLeak(url, gone.api_key)).status, 401);
        assert.equal((await call(`${url}/v1/roles`, kept.api_key)).status, 200);
      }
      await until(async () => {
        const tables = await tablesThatHold(raw, [gone.organization_id, gone.owner_id]);
        return tables.length === 0;
      }, 'every table is without the organization');
      assert.deepEqual(await tablesThatHold(raw, [kept.organization_id]), filled);
      const line = await first.program.waitForLine(
        ({ message }) => message === 'organization deleted',
      );
      assert.equal(line.organization_id, gone.organization_id);
      assert.equal(line.member_id, gone.owner_id);
    });
  }

  it('deleting an organization cascades to every table that refers to an organization', async (t) => {
    const database = connect(t, `sqlite:${temporaryFolder(t).path}/schema.db`);
    await migrate(database, migrations);
    const names = await tableNames(database);
    const cascading = await cascadingTables(database, names);
    for (const name of names) {
      const { rows } = await database.reader.execute<{ name: string }>(
        `pragma table_info("${name}")`,
        [],
      );
      const isOwned = rows.some((column) => column.name === 'organization_id');
      if (isOwned) assert.ok(cascading.has(name), `${name} stays when its organization is deleted`);
    }
  });

  it('the rows of an organization are found by an index in every table from which they are deleted', async (t) => {
    const database = connect(t, `sqlite:${temporaryFolder(t).path}/schema.db`);
    await migrate(database, migrations);
    const tables = await database.kernel(database.reader).listTenantTables();
    assert.ok(tables.includes('probity_webhook_deliveries') && tables.includes('probity_sessions'));
    for (const table of tables) {
      const { rows } = await database.reader.execute<{ detail: string }>(
        `explain query plan select rowid from "${table}" where organization_id = 'org_1' limit 500`,
        [],
      );
      for (const { detail } of rows)
        assert.match(detail, /^SEARCH .*\(organization_id=\?\)/, table);
    }
  });
});
