import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { withDatabase } from './open-database.ts';
import { bootstrap, emptyDatabases, run } from './support.ts';

const EMAIL = 'ann@acme.example';
const SECRET = 'v1.00000000.secret';

async function reset(t: TestContext, location: string, ...args: string[]) {
  const program = run(t, ['members', 'reset-mfa', ...args, '--database', location]);
  return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
}

for (const empty of emptyDatabases) {
  test(`${empty.name}: members reset-mfa disables the second factor of one member and records it`, async (t) => {
    const location = await empty.create(t);
    const { organization_id, owner_id } = await bootstrap(location);
    const key = { organizationId: organization_id, memberId: owner_id };
    await withDatabase(location, async (database) => {
      const storage = createSqlPlatformStorage(database);
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.setMfaSecret(key, SECRET);
        assert.ok(await tx.enableMfa(key, SECRET, 1, ['code']));
      });
    });
    const unknown = await reset(t, location, 'bob@acme.example');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /No member has the e-mail address "bob@acme.example"/);
    assert.deepEqual(await reset(t, location, EMAIL.toUpperCase()), {
      code: 0,
      stdout: `the second factor of ${owner_id} in ${organization_id} is disabled\n`,
      stderr: '',
    });
    await withDatabase(location, async (database) => {
      const storage = createSqlPlatformStorage(database);
      const account = await storage.findAccount(key);
      assert.deepEqual([account?.member.mfaEnabled, account?.sealedMfaSecret], [false, null]);
      const audit = database.kernel(database.reader);
      const { items } = await audit.listAuditEntries(organization_id, {}, { limit: 1, offset: 0 });
      assert.equal(items[0]?.action, 'mfa.reset');
    });
    const other = await bootstrap(location);
    const several = await reset(t, location, EMAIL);
    assert.equal(several.code, 1);
    assert.match(several.stderr, /add --organization, one of org_/);
    const chosen = await reset(t, location, EMAIL, '--organization', other.organization_id);
    assert.equal(
      chosen.stdout,
      `the second factor of ${other.owner_id} in ${other.organization_id} was not enabled\n`,
    );
  });
}
