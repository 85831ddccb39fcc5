import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChanges, deleteBatch } from '../../src/sql/count-changes.ts';
import { countRows, pageOf } from '../../src/sql/page-of.ts';
import { prepareInsert, prepareUpsert } from '../../src/sql/prepare-insert.ts';
import { prepareUpdate } from '../../src/sql/prepare-update.ts';
import { sqlTargets } from '../support.ts';

interface NoteRow {
  id: string;
  text: string;
  size: number | null;
}

const insertNote = prepareInsert<NoteRow>('notes', ['id', 'text', 'size']);
const updateNote = prepareUpdate<NoteRow, 'id' | 'size', 'id' | 'text'>(
  'notes',
  ['id', 'size'],
  ['id', 'text'],
);
const putNote = prepareUpsert<NoteRow>('notes', ['id', 'text', 'size'], ['id']);

for (const target of sqlTargets) {
  const withNotes = async (t: { after(work: () => unknown): void }, notes: readonly NoteRow[]) => {
    const opened = await target.open();
    t.after(opened.dispose);
    assert.ok(opened.kind === 'sql');
    const { database } = opened;
    await database.transaction(async (session) => {
      await session.execute('create table notes (id text primary key, text text, size bigint)', []);
      for (const note of notes) await insertNote(session, note);
    });
    return Object.assign(() => database.reader.kysely<{ notes: NoteRow }>().selectFrom('notes'), {
      database,
    });
  };

  test(`${target.name}: an update changes the named columns of the row with the key, once it has it`, async (t) => {
    const select = await withNotes(t, [
      { id: 'a', text: 'first', size: 1 },
      { id: 'b', text: 'second', size: 1 },
    ]);
    await select.database.transaction(async (session) => {
      const key = { id: 'a', size: 1 };
      assert.deepEqual(await updateNote(session, key, { text: 'new' }), [{ id: 'a', text: 'new' }]);
      assert.deepEqual(await updateNote(session, key, { size: 2, text: 'newer' }), [
        { id: 'a', text: 'newer' },
      ]);
      assert.deepEqual(await updateNote(session, key, { text: 'late' }), []);
      await assert.rejects(updateNote(session, key, {}), /An update of notes changes no column/);
    });
    assert.deepEqual(await select().selectAll().orderBy('id').execute(), [
      { id: 'a', text: 'newer', size: 2 },
      { id: 'b', text: 'second', size: 1 },
    ]);
  });

  test(`${target.name}: a page has its rows and the total count of the query`, async (t) => {
    const notes = ['a', 'b', 'c', 'd', 'e'].map((id, size) => ({ id, text: `note ${id}`, size }));
    const select = await withNotes(t, notes);
    const large = select().where('size', '>', 0).select(['id', 'size']).orderBy('id', 'desc');
    const page = await pageOf(large, { limit: 2, offset: 1 }, ({ id, size }) => `${id}${size}`);
    assert.deepEqual(page, { items: ['d3', 'c2'], total: 4 });
    assert.equal(await countRows(select()), 5);
  });

  test(`${target.name}: a prepared insertion stores every listed column`, async (t) => {
    const note = { id: 'a', text: 'ä "b"', size: null };
    const select = await withNotes(t, [note]);
    assert.deepEqual(await select().selectAll().execute(), [note]);
  });

  test(`${target.name}: a prepared upsert overwrites all columns of the row with the key`, async (t) => {
    const note = { id: 'a', text: 'first', size: 1 };
    const select = await withNotes(t, [note, { ...note, id: 'b' }]);
    const stored = [
      { id: 'a', text: 'second', size: null },
      { ...note, id: 'b' },
      { ...note, id: 'c' },
    ];
    await select.database.transaction(async (session) => {
      for (const each of stored) await putNote(session, each);
    });
    assert.deepEqual(await select().selectAll().orderBy('id').execute(), stored);
  });

  test(`${target.name}: deleted and updated rows are counted, and a batch is as large as selected`, async (t) => {
    const notes = ['a', 'b', 'c', 'd', 'e'].map((id, size) => ({ id, text: id, size }));
    const select = await withNotes(t, notes);
    const counts = await select.database.transaction(async (session) => {
      const db = session.kysely<{ notes: NoteRow }>();
      const old = db.selectFrom('notes').select('id').where('size', '<', 3).orderBy('id').limit(2);
      return [
        await deleteBatch(session, 'notes', 'id', old),
        await deleteBatch(session, 'notes', 'id', old),
        await countChanges(db.updateTable('notes').set({ text: '' }).where('size', '>', 2)),
        await countChanges(db.deleteFrom('notes').where('id', '=', 'e')),
        await countChanges(db.deleteFrom('notes').where('id', '=', 'none')),
      ];
    });
    assert.deepEqual(counts, [2, 1, 2, 1, 0]);
    assert.deepEqual(await select().selectAll().execute(), [{ id: 'd', text: '', size: 3 }]);
  });

  test(`${target.name}: a prepared insertion refuses a row with a column that it does not list`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    assert.ok(opened.kind === 'sql');
    const insert = prepareInsert<NoteRow>('notes', ['id', 'text']);
    await assert.rejects(
      opened.database.transaction((session) => insert(session, { id: 'a', text: '', size: 1 })),
      /The insertion into notes does not list size\./,
    );
  });
}
