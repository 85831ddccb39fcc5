import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '@probity/core';
import {
  createIds,
  createTenants,
  OUTSIDE_REQUEST,
  silentLogger,
  systemClock,
} from '@probity/core';
import { createTenantRemovalWorker } from '@probity/core/internal';
import { createTestTenant } from '@probity/core/testing';
import { CREATED_AT, newGroup, newUser } from '../src/fixtures.ts';
import type { ScimStorage } from '../src/index.ts';
import { storageOf, targets } from './targets.ts';

const USERS = 600;

/** Stores users with an address each, all of them members of two groups. */
async function fill(storage: ScimStorage, organizationId: string): Promise<void> {
  const users = Array.from({ length: USERS }, (_, index) =>
    newUser(organizationId, {
      attributes: { emails: [{ value: `user${index}@example.com` }] },
    }),
  );
  const groups = [newGroup(organizationId), newGroup(organizationId)];
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const user of users) await tx.insertUser(user);
    const ids = users.map(({ id }) => id);
    for (const group of groups) {
      await tx.insertGroup(group);
      await tx.addGroupMembers(organizationId, group.id, ids, CREATED_AT);
    }
  });
}

/** The database, with the tables and numbers of rows that are deleted at once added to a list. */
function countingDeletions(
  database: Database,
  deleted: Array<readonly [string, number]>,
): Database {
  return {
    ...database,
    kernel(session) {
      const tx = database.kernel(session);
      const counting: Pick<typeof tx, 'deleteTenantRows'> = {
        async deleteTenantRows(table, ...rest) {
          const count = await tx.deleteTenantRows(table, ...rest);
          deleted.push([table, count]);
          return count;
        },
      };
      return Object.assign(Object.create(tx), counting);
    },
  };
}

for (const target of targets) {
  test(`${target.name}: the users and groups of a removed organization are deleted in batches`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    const storage = storageOf(opened);
    const database: Database = opened.database;
    const [own, other] = [await createTestTenant(opened), await createTestTenant(opened)];
    for (const { organizationId } of [own, other]) await fill(storage, organizationId);
    await createTenants(database).remove(own.organizationId);
    const deleted: Array<readonly [string, number]> = [];
    await createTenantRemovalWorker({
      database: countingDeletions(database, deleted),
      clock: systemClock,
      logger: silentLogger,
      ids: createIds(),
    }).runOnce();
    const ofMembers = deleted.filter(([table]) => table.endsWith('scim_group_members'));
    assert.equal(
      ofMembers.reduce((sum, [, count]) => sum + count, 0),
      2 * USERS,
    );
    assert.ok(Math.max(...ofMembers.map(([, count]) => count)) < 2 * USERS);
    // Addresses and memberships are deleted before the rows that they refer to, so that no deletion cascades.
    const tables = deleted.map(([table]) => table);
    const first = (name: string) => tables.findIndex((table) => table.endsWith(name));
    if (opened.kind === 'sql') {
      assert.ok(first('scim_group_members') < first('scim_groups'));
      assert.ok(first('scim_user_emails') < first('scim_users'));
    }
    const count = async (organizationId: string) => [
      await storage.countUsers(organizationId),
      await storage.countGroups(organizationId),
    ];
    assert.deepEqual(await count(own.organizationId), [0, 0]);
    assert.deepEqual(await count(other.organizationId), [USERS, 2]);
    await createTenants(database).ensure(own.organizationId);
  });
}
