import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestTenant } from '@probity/core/testing';
import { insertUser, queryOf } from '../../src/fixtures.ts';
import { USER } from '../../src/index.ts';
import { storageOf, targets } from '../targets.ts';

const USER_NAME = 'ann@xn--bcher-kva.example';

for (const target of targets.filter(({ name }) => name !== 'memory')) {
  test(`${target.name}: a user of an earlier version is found as it was written`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    if (opened.kind === 'memory') return;
    const storage = storageOf(opened);
    const { organizationId: own } = await createTestTenant(opened);
    const emails = [{ value: USER_NAME }];
    const user = await insertUser(storage, own, { userName: USER_NAME, attributes: { emails } });
    // Earlier versions folded the letter case alone.
    await opened.database.transaction(async (session) => {
      const update = (assignment: string, value: string) =>
        session.execute(`update ${assignment}`, [value]);
      const json = session.dialect === 'sqlite' ? '?' : 'cast($1 as jsonb)';
      const text = session.dialect === 'sqlite' ? '?' : '$1';
      await update(`probity_scim_users set search = ${json}`, JSON.stringify({ emails }));
      await update(`probity_scim_users set user_name_key = ${text}`, USER_NAME);
      await update(`probity_scim_user_emails set value_key = ${text}`, USER_NAME);
    });
    for (const name of ['userName', 'emails', 'emails.value']) {
      const filter = `${name} eq "${USER_NAME}"`;
      const found = await storage.listUsers(own, queryOf(USER, { filter }));
      assert.deepEqual(found, { items: [user], total: 1 }, filter);
    }
    assert.deepEqual(await storage.findUserByName(own, USER_NAME), user);
  });
}
