import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { hashSecret } from '@probity/core/internal';
import { createSqlPlatformStorage } from '@probity/platform/sql';
import { sampleTargets } from '@probity/test-support/combinations';
import { withDatabase } from './open-database.ts';
import { bootstrap, emptyDatabases, run } from './support.ts';

const EMAIL = 'ann@acme.example';
const SECRET = 'v1.00000000.secret';

async function reset(t: TestContext, location: string, ...args: string[]) {
  const program = run(t, ['members', 'reset-mfa', ...args, '--database', location]);
  return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
}

for (const empty of sampleTargets(emptyDatabases)) {
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
    // A second time there is nothing to disable, and nothing is recorded.
    assert.match(
      (await reset(t, location, EMAIL)).stdout,
      /was not enabled; nothing was changed\n$/,
    );
    await withDatabase(location, async (database) => {
      const audit = database.kernel(database.reader);
      const filter = { action: 'mfa.reset' };
      const page = { limit: 1, offset: 0 };
      assert.equal((await audit.listAuditEntries(organization_id, filter, page)).total, 1);
    });
    const other = await bootstrap(location);
    const several = await reset(t, location, EMAIL);
    assert.equal(several.code, 1);
    assert.match(several.stderr, /add --organization, one of org_/);
    const chosen = await reset(t, location, EMAIL, '--organization', other.organization_id);
    assert.equal(
      chosen.stdout,
      `the second factor of ${other.owner_id} in ${other.organization_id} was not enabled; nothing was changed\n`,
    );
  });

  test(`${empty.name}: organizations clear-allowlist lets a locked out organization in again`, async (t) => {
    const location = await empty.create(t);
    const { organization_id, api_key } = await bootstrap(location);
    const clear = async (id: string) => {
      const program = run(t, ['organizations', 'clear-allowlist', id, '--database', location]);
      return { code: await program.exited, stdout: program.stdout, stderr: program.stderr };
    };
    await withDatabase(location, async (database) => {
      const storage = createSqlPlatformStorage(database);
      const changes = { ipAllowlist: ['192.0.2.0/24'] };
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.updateOrganization(organization_id, changes),
      );
    });
    const unknown = await clear('org_none');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.deepEqual(await clear(organization_id), {
      code: 0,
      stdout: `the IP allowlist of ${organization_id} is empty; it had 192.0.2.0/24\n`,
      stderr: '',
    });
    assert.match((await clear(organization_id)).stdout, / was empty already\n$/);
    await withDatabase(location, async (database) => {
      const storage = createSqlPlatformStorage(database);
      const key = await storage.identifyApiKey(hashSecret(api_key));
      assert.equal(key?.ipAllowlist, '[]');
      const audit = database.kernel(database.reader);
      const page = { limit: 10, offset: 0 };
      const { items } = await audit.listAuditEntries(organization_id, {}, page);
      assert.deepEqual(
        items.map(({ action }) => action),
        ['ip_allowlist.cleared', 'organization.created'],
      );
    });
  });
}
