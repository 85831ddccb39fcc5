import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestClock, createTestDatabase, temporaryFolder } from '@probity/test-support';
import { createBilling } from '../../src/billing/billing.ts';
import { createIds } from '../../src/ids.ts';
import { createSecretBox } from '../../src/secrets.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { coreMigrations } from '../../src/sql/migrations.ts';
import { migrate } from '../../src/sql/migrator.ts';
import { createSqlPlatformStorage } from '../../src/sql/platform.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import { testContext } from '../../src/testing/fixtures.ts';
import { newMember, newOrganization } from '../../src/testing/records.ts';
import { sqlBillingStorages } from './storages.ts';

type Open = (t: { after(work: () => unknown): void }) => Promise<SqlDatabase>;

const databases: ReadonlyArray<readonly [string, Open]> = [
  ['sqlite', async (t) => createSqliteDatabase({ path: join(temporaryFolder(t).path, 'test.db') })],
  [
    'postgres',
    async (t) => {
      const { url, drop } = await createTestDatabase();
      t.after(drop);
      return createPostgresDatabase({ url });
    },
  ],
];

for (const [name, open] of databases) {
  test(`${name}: an organization from before there were subscriptions is given one`, async (t) => {
    const database = await open(t);
    try {
      const clock = createTestClock();
      const isEarlier = (migration: { name: string }) => migration.name < 'core/0030';
      await migrate(database, coreMigrations.filter(isEarlier));
      const platform = createSqlPlatformStorage(database);
      const organization = newOrganization({ plan: 'starter', createdAt: clock.now() });
      const owner = newMember(organization.id, { role: 'owner', email: 'first@example.com' });
      await platform.transaction(async (tx) => {
        await tx.insertOrganization(organization);
        await tx.insertMember(owner);
      });
      await clock.advance(40 * 86_400_000);
      await migrate(database, coreMigrations);
      const billing = createBilling({
        ...sqlBillingStorages(database),
        platform,
        ids: createIds(clock),
        clock,
        secretBox: createSecretBox([new Uint8Array(32)]),
        baseUrl: () => 'https://probity.example.com',
      });
      const context = testContext({ organizationId: organization.id, ownerId: owner.id });
      const subscription = await billing.subscriptions.get(context);
      assert.equal(subscription.id, organization.id.replace('org_', 'sub_'));
      assert.deepEqual(
        [subscription.plan, subscription.billingEmail, subscription.cycleStart.toISOString()],
        ['starter', 'first@example.com', '2026-02-01T00:00:00.000Z'],
      );
      const { items } = await billing.invoices.list(context, { limit: 10, offset: 0 });
      assert.deepEqual(
        items.map(({ amount, issuedAt }) => [amount, issuedAt.toISOString().slice(0, 10)]),
        [
          [4_900, '2026-02-01'],
          [4_900, '2026-01-01'],
        ],
      );
    } finally {
      await database.close();
    }
  });
}
