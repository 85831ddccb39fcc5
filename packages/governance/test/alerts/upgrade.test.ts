import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { contextOf, createRuntime } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import {
  coreMigrations,
  createPostgresDatabase,
  createSqliteDatabase,
  migrate,
} from '@probity/core/sql';
import { createPipeline } from '@probity/pipeline';
import { createTestDatabase, temporaryFolder } from '@probity/test-support';
import { createGovernance } from '../../src/index.ts';
import { createSqlGovernanceStorages, governanceMigrations } from '../../src/sql.ts';

/** Empty databases of each kind. */
const empty: Readonly<Record<string, (t: TestContext) => Promise<SqlDatabase>>> = {
  sqlite: async (t) => createSqliteDatabase({ path: join(temporaryFolder(t).path, 'test.db') }),
  postgres: async (t) => createPostgresDatabase({ url: (await createTestDatabase(t)).url }),
};

const ALERTS = 1_200;
const SYSTEM = '01890a5d-ac96-774b-bcce-b302099a8057';
const CREATED = Date.UTC(2026, 0, 1);

/** What a version before the actions on alerts has stored, three alerts of four open; the scan of every fifth is gone. */
function oldRows(): string[] {
  const rows = [];
  for (let at = 0; at < ALERTS; at += 1) {
    const [createdAt, scanId] = [CREATED + at, `scn_${at}`];
    const aiSystem = at % 2 === 0 ? `'${SYSTEM}'` : 'null';
    if (at % 5 !== 0) {
      rows.push(`insert into probity_scans (id, organization_id, member_id, key_id, verdict, scores, findings, finding_count,
        policies, personal_data, monitored, response_hash, metadata, duration_us, created_at, ai_system_id) values ('${scanId}',
        'acme', 'mem_1', 'key_1', 'flagged', '{}', '[]', 0, '[]', 0, '[]', 'b', '{}', 1, ${createdAt}, ${aiSystem})`);
    }
    const isOpen = at % 4 !== 0;
    const end = isOpen
      ? `'open', null, null`
      : `'resolved', ${createdAt + 60_000}, 'A "TEST" of ours'`;
    rows.push(`insert into probity_alerts (id, organization_id, type, severity, status, resolved_at, resolution, message,
      scan_id, created_at) values ('alr_${at}', 'acme', 'pii', 'low', ${end}, 'E-Mail No. ${at}', '${scanId}', ${createdAt})`);
  }
  return rows;
}

for (const [name, open] of Object.entries(empty)) {
  test(`${name}: alerts that an earlier version has stored are kept, found and worked on after the upgrade`, async (t) => {
    const database = await open(t);
    t.after(() => database.close());
    const index = governanceMigrations.findIndex((each) => each.name.includes('0010_'));
    await migrate(database, [...coreMigrations, ...governanceMigrations.slice(0, index)]);
    await database.transaction(async ({ execute }) => {
      await execute(`insert into probity_tenants (id) values ('acme')`, []);
      for (const row of oldRows()) await execute(row, []);
    });
    await migrate(database, [...coreMigrations, ...governanceMigrations]);

    const { alerts } = createGovernance(createRuntime({ database }), {
      ...createSqlGovernanceStorages(database),
      pipeline: createPipeline(),
    });
    const context = contextOf({ organizationId: 'acme', memberId: 'mem_1', role: 'owner' });
    const page = { limit: 200, offset: 0 };
    const listed = await alerts.list(context, {}, page);
    assert.deepEqual([listed.total, listed.items.length], [ALERTS, 200]);
    const stillOpen = await alerts.list(context, { status: 'open' }, page);
    assert.equal(stillOpen.total, (ALERTS * 3) / 4);
    const first = await alerts.list(context, { text: 'e-mail no. 7' }, page);
    assert.ok(first.items.some(({ id }) => id === 'alr_7'));
    assert.equal((await alerts.list(context, { text: 'a "test" OF' }, page)).total, ALERTS / 4);

    const kept = await alerts.get(context, 'alr_8');
    assert.deepEqual(
      [kept.status, kept.resolution, kept.aiSystemId, kept.resolvedBy, kept.createdAt.getTime()],
      ['resolved', 'A "TEST" of ours', SYSTEM, null, CREATED + 8],
    );
    assert.equal((await alerts.get(context, 'alr_10')).aiSystemId, null, 'its scan is gone');
    assert.equal((await alerts.get(context, 'alr_7')).aiSystemId, null, 'its scan names none');
    const resolved = await alerts.resolve(context, 'alr_7', { resolution: 'Known' });
    assert.deepEqual([resolved.status, resolved.resolvedBy], ['resolved', 'mem_1']);
    await assert.rejects(alerts.resolve(context, 'alr_8', { resolution: 'Again' }), /resolved/);
  });
}
