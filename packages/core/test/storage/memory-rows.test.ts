import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { byCreation, newestFirst, owned, pageOf } from '../../src/storage/memory-rows.ts';
import { defineMemoryTable } from '../../src/storage/memory-table.ts';

const row = (id: string, ms: number) => ({ id, createdAt: new Date(ms), organizationId: 'org_1' });
/** Two of one moment, between an older and a newer one. */
const rows = [row('b', 2), row('d', 1), row('c', 3), row('a', 2)];
const ROWS = defineMemoryTable<(typeof rows)[number]>('rows', 'organizationId');
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

test('rows with equal times are ordered by id in the direction of the time order', () => {
  assert.deepEqual(idsOf([...rows].sort(byCreation)), ['d', 'a', 'b', 'c']);
  assert.deepEqual(idsOf([...rows].sort(newestFirst)), ['c', 'b', 'a', 'd']);
});

test('a page has its rows in order and the number of all rows, and leaves the list as it was', () => {
  const before = idsOf(rows);
  const { items, total } = pageOf(rows, { limit: 2, offset: 1 }, byCreation);
  assert.deepEqual([idsOf(items), total], [['a', 'b'], 4]);
  assert.deepEqual(pageOf(rows, { limit: 2, offset: 9 }, byCreation), { items: [], total: 4 });
  assert.deepEqual(idsOf(rows), before);
});

test('owned returns null for a row of another organization', async () => {
  const database = createMemoryDatabase();
  await database.transaction(async (session) => {
    const table = session.table(ROWS);
    table.put('a', row('a', 1));
    assert.deepEqual(owned(table, 'org_1', 'a'), row('a', 1));
    assert.equal(owned(table, 'org_2', 'a'), null);
    assert.equal(owned(table, 'org_1', 'b'), null);
  });
});
