import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProbityError } from '../../src/errors.ts';
import {
  forUpdate,
  forUpdateSkipLocked,
  isForeignKeyViolation,
  isUniqueViolation,
  toDate,
  toDateOrNull,
  uniqueIndexName,
} from '../../src/sql/dialect.ts';
import { createSessionKysely } from '../../src/sql/kysely-session.ts';
import type { SqlDialect } from '../../src/sql/session.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { newAuditEntry, recordAudit } from '../../src/testing/records.ts';
import { sqlTargets } from '../support.ts';

function compiled(dialect: SqlDialect, lock: typeof forUpdate): string {
  const db = createSessionKysely<{ t: { a: number } }>(dialect, () => assert.fail('not run'));
  return lock(dialect, db.selectFrom('t').select('a')).compile().sql;
}

test('rows are locked on PostgreSQL only: the writer of SQLite is alone', () => {
  assert.match(compiled('postgres', forUpdate), / for update$/);
  assert.match(compiled('postgres', forUpdateSkipLocked), / for update skip locked$/);
  for (const lock of [forUpdate, forUpdateSkipLocked]) {
    assert.doesNotMatch(compiled('sqlite', lock), /for update/);
  }
});

test('times are stored as milliseconds', () => {
  assert.deepEqual(toDate(5), new Date(5));
  assert.deepEqual(toDateOrNull(0), new Date(0));
  assert.equal(toDateOrNull(null), null);
});

for (const target of sqlTargets) {
  describe(`${target.name}: unique violations`, () => {
    test('a unique violation is distinguished from those of other indexes and other errors', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const run = (sql: string) =>
        opened.database.transaction((session) => session.execute(sql, [])).catch((error) => error);
      await run('create table pairs (id integer primary key, a text, b text not null)');
      await run(`create unique index ${uniqueIndexName('pairs', ['a', 'b'])} on pairs (a, b)`);
      await run(`insert into pairs values (1, 'x', 'y')`);
      const taken = await run(`insert into pairs values (2, 'x', 'y')`);
      assert.equal(isUniqueViolation(taken, 'pairs', ['a', 'b']), true);
      assert.equal(isUniqueViolation(taken, 'pairs', ['a']), false);
      assert.equal(isUniqueViolation(taken, 'others', ['a', 'b']), false);
      for (const sql of [
        `insert into pairs values (1, 'p', 'q')`,
        `insert into pairs (id) values (3)`,
      ]) {
        const error: unknown = await run(sql);
        assert.ok(error instanceof Error);
        assert.equal(isUniqueViolation(error, 'pairs', ['a', 'b']), false);
      }
      assert.equal(
        isUniqueViolation('UNIQUE constraint failed: pairs.a, pairs.b', 'pairs', ['a', 'b']),
        false,
      );
    });
  });
}

for (const target of sqlTargets) {
  test(`${target.name}: inserting a row whose parent was deleted concurrently is a conflict`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    const orphaned = recordAudit(opened.database, newAuditEntry('org_gone'));
    await assert.rejects(orphaned, (error) => {
      assert.ok(error instanceof ProbityError);
      assert.equal(error.kind, 'conflict');
      assert.equal(isForeignKeyViolation(error.cause), true);
      return true;
    });
    const { organizationId } = await createTestTenant(opened);
    const entry = newAuditEntry(organizationId);
    const taken = recordAudit(opened.database, entry, entry);
    await assert.rejects(taken, (error) => !isForeignKeyViolation(error));
  });
}
