import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import type { MemoryTable } from '../../src/storage/memory-table.ts';
import { defineMemoryTable } from '../../src/storage/memory-table.ts';

interface Row {
  name: string;
  tags?: string[];
}

const ROWS = defineMemoryTable<Row>('rows', null);

test('memory tables copy rows in and out, so that callers cannot change stored state', async () => {
  const database = createMemoryDatabase();
  const given: Row = { name: 'a', tags: ['x'] };
  await database.transaction(async (session) => session.table(ROWS).put('1', given));
  given.tags?.push('y');
  const read = database.reader.table(ROWS).get('1');
  read?.tags?.push('z');
  const [found] = database.reader.table(ROWS).filter(() => true);
  assert.deepEqual(found, { name: 'a', tags: ['x'] });
});

test('a transaction sees its own changes over the committed rows, in order of insertion', async () => {
  const database = createMemoryDatabase();
  await database.transaction(async (session) => {
    for (const id of ['1', '2', '3']) session.table(ROWS).put(id, { name: id });
  });
  await database.transaction(async (session) => {
    const rows = session.table(ROWS);
    rows.put('4', { name: 'new' });
    rows.put('2', { name: 'changed' });
    assert.equal(rows.delete('1'), true);
    assert.equal(rows.delete('1'), false);
    assert.equal(rows.get('1'), undefined);
    const names = rows.filter(() => true).map(({ name }) => name);
    assert.deepEqual(names, ['changed', '3', 'new']);
  });
  assert.equal(database.reader.table(ROWS).filter(() => true).length, 3);
});

test('a row that was deleted and put again in one transaction exists', async () => {
  const database = createMemoryDatabase();
  await database.transaction(async (session) => session.table(ROWS).put('1', { name: 'a' }));
  await database.transaction(async (session) => {
    session.table(ROWS).delete('1');
    session.table(ROWS).put('1', { name: 'b' });
  });
  assert.equal(database.reader.table(ROWS).get('1')?.name, 'b');
});

test('a memory table used after its transaction rejects writes', async () => {
  const database = createMemoryDatabase();
  let kept: MemoryTable<Row> | undefined;
  await database.transaction(async (session) => {
    kept = session.table(ROWS);
  });
  assert.throws(() => kept?.put('1', { name: 'late' }), /The transaction has ended/);
  assert.equal(database.reader.table(ROWS).get('1'), undefined);
});

test('the reader of a memory database rejects writes', () => {
  const { reader } = createMemoryDatabase();
  assert.throws(() => reader.table(ROWS).put('1', { name: 'a' }), /Writes need a transaction/);
});

test('transactions in memory run one after another, in the order of their calls', async () => {
  const database = createMemoryDatabase();
  const journal: string[] = [];
  const run = (name: string) =>
    database.transaction(async () => {
      journal.push(`begin ${name}`);
      await new Promise((resolve) => setImmediate(resolve));
      journal.push(`end ${name}`);
    });
  await Promise.all([run('a'), run('b')]);
  assert.deepEqual(journal, ['begin a', 'end a', 'begin b', 'end b']);
});
