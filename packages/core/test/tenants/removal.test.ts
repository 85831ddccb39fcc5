import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createTenants } from '../../src/tenants/tenants.ts';
import { at, countJobs, enqueue, newEvent, newJob } from '../../src/testing/records.ts';
import { finishRemovals } from '../../src/testing/removals.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { sqlTargets } from '../support.ts';

async function open(t: TestLifetime, target: DatabaseTarget): Promise<SqlDatabase> {
  const opened = await target.open();
  t.after(opened.dispose);
  assert.ok(opened.kind === 'sql');
  return opened.database;
}

for (const target of sqlTargets) {
  describe(`${target.name}: removal of a tenant`, () => {
    test('a removal changes one row of its tenant and stores one job, however much data there is', async (t) => {
      const database = await open(t, target);
      const tenants = createTenants(database);
      await tenants.ensure('acme');
      const events = Array.from({ length: 200 }, () => newEvent('acme'));
      await database.transaction(async (session) => {
        for (const event of events) await database.kernel(session).outbox.append(event);
      });
      await tenants.remove('acme');
      const { rows } = await database.reader.execute<{ count: number }>(
        'select count(*) as count from probity_events',
        [],
      );
      assert.equal(Number(rows[0]?.count), 200);
      assert.equal(await countJobs(database, 'tenants.remove'), 1);
      await finishRemovals(database);
      assert.equal(await countJobs(database, 'tenants.remove'), 0);
    });

    test('a table of another package is emptied without a declaration, after those that refer to it', async (t) => {
      const database = await open(t, target);
      const tenants = createTenants(database);
      for (const statement of [
        `create table probity_a_notes (
          id text primary key,
          organization_id text not null references probity_tenants (id) on delete cascade
        )`,
        `create table probity_b_lines (
          id text primary key,
          organization_id text not null,
          note_id text not null references probity_a_notes (id) on delete cascade
        )`,
        'create table host_notes (id text primary key, organization_id text not null)',
      ]) {
        await database.transaction((session) => session.execute(statement, []));
      }
      for (const id of ['acme', 'other']) {
        await tenants.ensure(id);
        await database.transaction(async (session) => {
          await session.execute(`insert into probity_a_notes values ('${id}', '${id}')`, []);
          await session.execute(
            `insert into probity_b_lines values ('${id}', '${id}', '${id}')`,
            [],
          );
          await session.execute(`insert into host_notes values ('${id}', '${id}')`, []);
        });
      }
      const tables = await database.kernel(database.reader).listTenantTables();
      assert.ok(tables.indexOf('probity_b_lines') < tables.indexOf('probity_a_notes'));
      assert.ok(!tables.includes('host_notes'));
      await tenants.remove('acme');
      await finishRemovals(database);
      const idsIn = async (table: string) => {
        const { rows } = await database.reader.execute<{ id: string }>(
          `select id from ${table} order by id`,
          [],
        );
        return rows.map(({ id }) => id);
      };
      assert.deepEqual(await idsIn('probity_a_notes'), ['other']);
      assert.deepEqual(await idsIn('probity_b_lines'), ['other']);
      assert.deepEqual(await idsIn('host_notes'), ['acme', 'other']);
    });

    // On SQLite there is one writer.
    if (target.name === 'postgres') {
      test('a removal waits for no transaction that stores rows of the tenant, nor for a result of its jobs', async (t) => {
        const database = await open(t, target);
        const tenants = createTenants(database);
        await tenants.ensure('acme');
        await enqueue(database, newJob({ tenantId: 'acme', dueAt: at(0) }));
        await database.transaction(async (session) => {
          const tx = database.kernel(session);
          await tx.outbox.append(newEvent('acme'));
          const lease = { now: at(0), leaseUntil: at(9), leaseToken: 'w', limit: 1 };
          const claim = { queue: 'test', groupCapacity: () => 1, ...lease };
          assert.equal((await tx.claimJobs(claim)).length, 1);
          assert.equal(await tenants.remove('acme'), true);
        });
        await finishRemovals(database);
        assert.equal(await countJobs(database), 0);
      });
    }
  });
}
