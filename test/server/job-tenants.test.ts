import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SqlSession } from '@probity/core/sql';
import { migrate } from '@probity/core/sql';
import { migrations } from '@probity/standalone';
import { openDatabase } from './open-database.ts';
import { emptyDatabases } from './support.ts';

/** The migrations since which jobs have a tenant, and one that needs it. */
const NEW = ['core/0010_job_tenants', 'core/0013_job_events', 'webhooks/0002_job_tenants'];

/** Jobs as the version before stored them. */
const STORED = [
  { id: 'job_1', queue: 'outbox', group: 'org_1', tenantId: 'org_1' },
  { id: 'job_2', queue: 'webhooks.deliver', group: 'wh_1', tenantId: 'org_1' },
  { id: 'job_3', queue: 'webhooks.deliver', group: 'wh_deleted', tenantId: 'wh_deleted' },
];

async function storeAsBefore(session: SqlSession): Promise<void> {
  await session.execute("insert into probity_tenants (id) values ('org_1')", []);
  await session.execute(
    `insert into probity_webhooks (id, organization_id, url, events, active, sealed_secret, created_at)
      values ('wh_1', 'org_1', 'https://example.com', '[]', 1, '', 0)`,
    [],
  );
  for (const { id, queue, group } of STORED) {
    const values = `'${id}', '${queue}', '${group}', '{}', 0`;
    await session.execute(
      `insert into probity_jobs (id, queue, group_key, payload, attempts, due_at) values (${values}, 5)`,
      [],
    );
    await session.execute(
      `insert into probity_failed_jobs (id, queue, group_key, payload, attempts, last_error, failed_at)
        values (${values}, 'broken', 5)`,
      [],
    );
  }
}

for (const empty of emptyDatabases) {
  describe(`jobs of an earlier version on ${empty.name}`, () => {
    it('stored jobs keep their fields and get their tenant, and jobs of an earlier version are still stored', async (t) => {
      const database = openDatabase(await empty.create(t));
      t.after(() => database.close());
      await migrate(
        database,
        migrations.filter(({ name }) => !NEW.includes(name)),
      );
      await database.transaction(storeAsBefore);
      assert.deepEqual(await migrate(database, migrations), NEW);
      const reads = database.kernel(database.reader);
      const page = { limit: 9, offset: 0 };
      const pending = (await reads.listJobs(page)).items;
      const failed = [...(await reads.listFailedJobs(page)).items].reverse();
      for (const items of [pending, failed]) {
        const facts = items.map(({ id, queue, group, tenantId }) => ({
          id,
          queue,
          group,
          tenantId,
        }));
        assert.deepEqual(facts, STORED);
      }
      await database.transaction(async (session) => {
        await session.execute(
          `insert into probity_jobs (id, queue, group_key, payload, attempts, due_at)
            values ('job_4', 'outbox', 'org_1', '{}', 0, 5)`,
          [],
        );
        const lease = { now: new Date(5), leaseUntil: new Date(9), leaseToken: 'w' };
        const claim = { queue: 'outbox', limit: 9, groupCapacity: () => 9, ...lease };
        const jobs = await database.kernel(session).claimJobs(claim);
        assert.deepEqual(
          jobs.map(({ id, tenantId }) => [id, tenantId]),
          [
            ['job_4', null],
            ['job_1', 'org_1'],
          ],
        );
      });
    });
  });
}
