import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '@probity/core';
import { createMemoryDatabase, OUTSIDE_REQUEST, ROLES } from '@probity/core';
import { isAtLeast } from '@probity/core/internal';
import { testContext } from '@probity/core/testing';
import { createMembers } from '../../src/members/members.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import { createTestOrganization } from '../../src/testing/fixtures.ts';
import { newMember } from '../../src/testing/records.ts';
import { testRuntime, testSecretBox } from '../support.ts';

/** Creates an organization with an owner, and a caller who is another member with this role. */
async function createWorld(role: Role) {
  const database = createMemoryDatabase();
  const storage = createMemoryPlatformStorage(database);
  const { organizationId } = await createTestOrganization({ database, storage });
  const add = async (of: Role) => {
    const member = newMember(organizationId, { role: of });
    await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(member));
    return member;
  };
  const caller = await add(role);
  const runtime = testRuntime({ database });
  const members = createMembers(runtime, { storage, secretBox: testSecretBox() });
  const context = testContext({ organizationId, memberId: caller.id }, role);
  return { add, members, context, caller };
}

/** The outcome of a call: `done`, or the kind of its error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: { kind: string }) => error.kind,
  );
}

for (const caller of ROLES) {
  test(`a caller with the role ${caller} changes members and grants roles up to that role, and no further`, async () => {
    const { add, members, context } = await createWorld(caller);
    for (const present of ROLES) {
      for (const granted of ROLES) {
        const { id } = await add(present);
        const isAllowed = isAtLeast(caller, present) && isAtLeast(caller, granted);
        assert.equal(
          await outcomeOf(members.changeRole(context, id, granted)),
          isAllowed ? 'done' : 'forbidden',
          `${present} to ${granted}`,
        );
      }
      const expected = isAtLeast(caller, present) ? 'done' : 'forbidden';
      const { id } = await add(present);
      assert.equal(await outcomeOf(members.suspend(context, id)), expected, present);
      assert.equal(await outcomeOf(members.reactivate(context, id)), expected, present);
      const input = { email: `${present}@new.example`, name: null, role: present };
      assert.equal(await outcomeOf(members.invite(context, input)), expected, present);
    }
  });

  test(`a caller with the role ${caller} may remove itself, and others only if it manages members`, async () => {
    const { add, members, context, caller: own } = await createWorld(caller);
    for (const present of ROLES) {
      const { id } = await add(present);
      const isAllowed = isAtLeast(caller, 'admin') && isAtLeast(caller, present);
      const outcome = await outcomeOf(members.remove(context, id));
      assert.equal(outcome, isAllowed ? 'done' : 'forbidden', present);
    }
    assert.equal(await outcomeOf(members.remove(context, own.id)), 'done');
    const again = await outcomeOf(members.remove(context, own.id));
    assert.equal(again, 'not_found');
  });
}
