import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { defineMemoryTable } from '../../src/storage/memory-table.ts';
import { createTenants } from '../../src/tenants/tenants.ts';
import { finishRemovals } from '../../src/testing/removals.ts';

interface Note {
  readonly organizationId: string;
  readonly text: string;
}

interface Workspace {
  readonly account: string;
  readonly size: number;
}

const NOTES = defineMemoryTable<Note>('notes', 'organizationId');
const WORKSPACES = defineMemoryTable<Workspace>('workspaces', 'account');
const SETTINGS = defineMemoryTable<{ readonly value: string }>('settings', null);

test("deleting a tenant deletes its rows in another package's memory tables, however keyed", async () => {
  const database = createMemoryDatabase();
  const tenants = createTenants(database);
  for (const id of ['acme', 'other']) {
    await tenants.ensure(id);
    await database.transaction(async (session) => {
      session.table(NOTES).put(`note of ${id}`, { organizationId: id, text: 'acme' });
      session.table(WORKSPACES).put(`workspace of ${id}`, { account: id, size: 1 });
      session.table(SETTINGS).put(id, { value: id });
    });
  }
  await tenants.remove('acme');
  await finishRemovals(database);
  const { reader } = database;
  const all = () => true;
  assert.deepEqual(reader.table(NOTES).filter(all), [{ organizationId: 'other', text: 'acme' }]);
  assert.deepEqual(reader.table(WORKSPACES).filter(all), [{ account: 'other', size: 1 }]);
  assert.equal(reader.table(SETTINGS).filter(all).length, 2);
});

test('two declarations of one memory table with different tenant keys are refused', () => {
  const { reader } = createMemoryDatabase();
  reader.table(NOTES);
  reader.table(defineMemoryTable<Note>('notes', 'organizationId'));
  assert.throws(() => reader.table(defineMemoryTable<object>('notes', null)), /declared twice/);
});

test('a memory table without a tenant key, or with one that rows do not have, does not compile', () => {
  // @ts-expect-error: the tenant key is missing.
  defineMemoryTable<Workspace>('workspaces');
  // @ts-expect-error: rows have no such member.
  defineMemoryTable<Workspace>('workspaces', 'organizationId');
  // @ts-expect-error: the member is no id.
  defineMemoryTable<Workspace>('workspaces', 'size');
  // @ts-expect-error: rows that name their organization belong to it.
  defineMemoryTable<Note>('notes', null);
});
