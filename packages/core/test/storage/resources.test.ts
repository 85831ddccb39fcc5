import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindStorage } from '../../src/storage/bind.ts';
import { OUTSIDE_REQUEST } from '../../src/storage/database.ts';
import type { MemorySession } from '../../src/storage/memory.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { defineMemoryTable } from '../../src/storage/memory-table.ts';
import { combineResources } from '../../src/storage/resources.ts';

const USERS = defineMemoryTable<{ name: string }>('users', null);
const GROUPS = defineMemoryTable<{ name: string }>('groups', null);
const made: string[] = [];

function createUsers(session: MemorySession) {
  made.push('users');
  const users = () => session.table(USERS);
  return {
    findUser: async (id: string) => users().get(id)?.name ?? null,
    putUser: async (id: string, name: string) => users().put(id, { name }),
  };
}

function createGroups(session: MemorySession) {
  made.push('groups');
  return {
    countGroups: async () => session.table(GROUPS).filter(() => true).length,
  };
}

type Operations = ReturnType<typeof createUsers> & ReturnType<typeof createGroups>;

function openStorage() {
  const { bind, bindOnDemand } = combineResources(createUsers, createGroups);
  return bindStorage<MemorySession, Operations, object>(createMemoryDatabase(), bind, bindOnDemand);
}

test('operations of every resource read and write in one transaction, and their reads outside it', async () => {
  const storage = openStorage();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.putUser('u1', 'Ann');
    assert.equal(await tx.findUser('u1'), 'Ann');
    assert.equal(await tx.countGroups(), 0);
    assert.equal(await tx.hasTenant('none'), false);
  });
  const spread = { ...storage };
  assert.equal(await spread.findUser('u1'), 'Ann');
});

test('a transaction creates the operations of only the resources that it uses', async () => {
  const storage = openStorage();
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.putUser('u1', 'Ann'));
  made.length = 0;
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.findUser('u1');
    await tx.findUser('u2');
  });
  assert.deepEqual(made, ['users']);
});

test('concurrent transactions each have separate operations', async () => {
  const storage = openStorage();
  const names = ['Ann', 'Bob', 'Eve'];
  await Promise.all(
    names.map((name) => storage.transaction(OUTSIDE_REQUEST, (tx) => tx.putUser(name, name))),
  );
  for (const name of names) assert.equal(await storage.findUser(name), name);
});

test('an operation of a transaction can be replaced by a wrapper', async () => {
  const storage = openStorage();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    const wrapped = Object.assign(Object.create(tx) as typeof tx, {
      findUser: async () => 'somebody else',
    });
    await wrapped.putUser('u1', 'Ann');
    assert.equal(await wrapped.findUser('u1'), 'somebody else');
    assert.equal(await tx.findUser('u1'), 'Ann');
  });
});

test('two resources with an operation of the same name are rejected by its name', () => {
  const { bindOnDemand } = combineResources(createUsers, createUsers);
  const { reader } = createMemoryDatabase();
  assert.throws(() => bindOnDemand(reader), /operation findUser/);
});
