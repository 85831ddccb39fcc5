import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createTestTenant, recordStatements } from '@probity/core/testing';
import { CREATED_AT, newUser, queryOf } from '../src/fixtures.ts';
import type { ScimUser } from '../src/index.ts';
import { USER } from '../src/index.ts';
import { createSqlScimStorage } from '../src/sql.ts';
import { targets } from './targets.ts';

const USERS = 4_500;
/** Rows that a statement may return besides a page. */
const MOST_ROWS = 2_000;

for (const target of targets.filter(({ name }) => name !== 'memory')) {
  test(`${target.name}: users that no index finds are read in slices, each once and in order`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    assert.ok(opened.kind === 'sql');
    const { organizationId: own } = await createTestTenant(opened);
    const statements: string[] = [];
    const storage = createSqlScimStorage(
      recordStatements(opened.database, (sql) => statements.push(sql)),
    );
    // Many have the same time of creation.
    const users = Array.from({ length: USERS }, (_, index) =>
      newUser(own, {
        createdAt: new Date(CREATED_AT.getTime() + (index % 3)),
        active: index % 7 !== 0,
        attributes: { nickName: `nick ${index}` },
      }),
    );
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (const user of users) await tx.insertUser(user);
    });
    const sorted = [...users].sort(
      (left, right) =>
        left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1),
    );
    const cases: ReadonlyArray<readonly [string, (user: ScimUser) => boolean]> = [
      ['active eq true', ({ active }) => active],
      ['nickName sw "NICK 1"', ({ attributes }) => `${attributes.nickName}`.startsWith('nick 1')],
      [
        'meta.created co "00.001" and active eq false',
        (user) => user.createdAt.getTime() % 1_000 === 1 && !user.active,
      ],
    ];
    for (const [filter, matches] of cases) {
      statements.length = 0;
      const expected = sorted.filter(matches);
      const start = { offset: Math.floor(expected.length / 2) };
      const page = await storage.listUsers(own, queryOf(USER, { filter, start, limit: 50 }));
      assert.equal(page.total, expected.length, filter);
      assert.deepEqual(page.items, expected.slice(start.offset, start.offset + 50), filter);
      // Two statements for each slice, one for the page.
      assert.ok(statements.length >= 2 * Math.floor(USERS / MOST_ROWS) + 1, filter);
      const after = expected[start.offset] as ScimUser;
      const rest = await storage.listUsers(
        own,
        queryOf(USER, { filter, start: { after }, limit: 50 }),
      );
      assert.equal(rest.total, expected.length, filter);
      const behind = start.offset + 1;
      assert.deepEqual(rest.items, expected.slice(behind, behind + 50), filter);
    }
  });
}

test('sorting many users by a filter that SQL does not express, or without an index, is refused', async (t) => {
  const opened = await targets.find(({ name }) => name === 'sqlite')?.open();
  assert.ok(opened?.kind === 'sql');
  t.after(opened.dispose);
  const { organizationId: own } = await createTestTenant(opened);
  const storage = createSqlScimStorage(opened.database);
  const insert = (count: number) =>
    storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (let index = 0; index < count; index += 1) await tx.insertUser(newUser(own));
    });
  const query = queryOf(USER, { filter: 'schemas pr', sortBy: 'userName', limit: 1 });
  await insert(10_000);
  assert.equal((await storage.listUsers(own, query)).total, 10_000);
  await insert(1);
  await assert.rejects(storage.listUsers(own, query), { reason: 'tooMany', status: 400 });
  const byTitle = queryOf(USER, { sortBy: 'title', limit: 1 });
  await insert(9_999);
  assert.equal((await storage.listUsers(own, byTitle)).total, 20_000);
  await insert(1);
  await assert.rejects(storage.listUsers(own, byTitle), { reason: 'tooMany', status: 400 });
  const byName = queryOf(USER, { sortBy: 'userName', limit: 1 });
  assert.equal((await storage.listUsers(own, byName)).total, 20_001);
});
