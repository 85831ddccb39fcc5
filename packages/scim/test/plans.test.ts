import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createTestTenant, recordStatements } from '@probity/core/testing';
import { parseFilterAcross } from '../src/filters/parse-across.ts';
import { CREATED_AT, LATER, newGroup, newUser, queryOf } from '../src/fixtures.ts';
import { GROUP, USER } from '../src/index.ts';
import { createSqlScimStorage } from '../src/sql.ts';
import { targets } from './targets.ts';

const USERS = 2_000;
const GROUPS = 500;

/** Rows that a part of a plan may read, or remove by a filter; far below the number of rows. */
const ROWS = 60;

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A database with many users and groups, and a large group, whose statements are recorded. */
async function createWorld(t: TestContext, { name, isAnalyzed }: Variant) {
  const target = targets.find((each) => each.name === name);
  const opened = await target?.open();
  assert.ok(opened?.kind === 'sql');
  t.after(opened.dispose);
  const { organizationId: own } = await createTestTenant(opened);
  const statements: Statement[] = [];
  const { database } = opened;
  const recorded = recordStatements(database, (sql, parameters) => {
    statements.push({ sql, parameters });
  });
  const storage = createSqlScimStorage(recorded);
  const users = Array.from({ length: USERS }, (_, index) =>
    newUser(own, {
      userName: `user${index}@example.com`,
      externalId: `ext-${index}`,
      attributes: {
        displayName: `User ${index}`,
        emails: [{ value: `user${index}@example.com`, type: 'work' }],
      },
    }),
  );
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    newGroup(own, { displayName: `Group ${index}`, externalId: `ext-${index}` }),
  );
  const [large] = groups;
  assert.ok(large);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const user of users) await tx.insertUser(user);
    for (const group of groups) await tx.insertGroup(group);
    const ids = users.map(({ id }) => id);
    await tx.addGroupMembers(own, large.id, ids.slice(1), CREATED_AT);
    for (const { id } of groups.slice(1)) {
      await tx.addGroupMembers(own, id, ids.slice(1, 4), CREATED_AT);
    }
  });
  if (isAnalyzed) await analyze(database);
  return { database, storage, own, users, groups, large, statements };
}

/** Gives the planner statistics, which a new database has none of. */
function analyze(database: SqlDatabase): Promise<void> {
  return database.transaction(async (session) => {
    for (const table of ['users', 'user_emails', 'groups', 'group_members']) {
      await session.execute(`analyze probity_scim_${table}`, []);
    }
  });
}

/** Fails when a statement reads many rows. */
async function requireFewRows(session: SqlSession, { sql, parameters }: Statement) {
  if (session.dialect === 'postgres') {
    const { rows } = await session.execute<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) ${sql}`,
      parameters,
    );
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    const counts = plan.matchAll(/"(?:Actual Rows|Rows Removed by [^"]+)":([\d.]+)/g);
    const most = Math.max(...[...counts].map(([, count]) => Number(count)));
    assert.ok(most >= 0 && most <= ROWS, `${most} rows: ${sql}\n${plan}`);
    return;
  }
  const plan = await session.execute<{ detail: string }>(`explain query plan ${sql}`, parameters);
  const details = plan.rows.map(({ detail }) => detail).join('\n');
  assert.doesNotMatch(
    details,
    /SCAN (?!json_each|e VIRTUAL|found|closest|CONSTANT|\d)/,
    `${details}: ${sql}`,
  );
  // Every table is searched by more than its organization.
  for (const [, constraint] of details.matchAll(/probity_scim_\w+ \(([^)]*)\)/g)) {
    assert.notEqual(constraint, 'organization_id=?', `${details}: ${sql}`);
  }
}

const FILTERS = {
  User: (index: number, id: string) => [
    `userName eq "USER${index}@example.com"`,
    `userName eq "x@xn--bcher-kva.example" or emails eq "user${index}@EXAMPLE.com"`,
    `emails eq "x@xn--bcher-kva.example" or externalId eq "ext-${index}"`,
    `externalId eq "ext-${index}"`,
    `displayName eq "user ${index}"`,
    `emails.value eq "user${index}@example.com"`,
    `emails[type eq "work" and value eq "user${index}@example.com"]`,
    `emails[type eq "work" and value eq "user${index}@example.com"] and active eq true`,
    `userName eq "x" or externalId eq "ext-${index}" or emails eq "x" or id eq "${id}"`,
  ],
  Group: (index: number, id: string) => [
    `displayName eq "GROUP ${index}"`,
    `externalId eq "ext-${index}" and members pr`,
    `id eq "${id}"`,
  ],
};

interface Variant {
  readonly name: string;
  readonly isAnalyzed: boolean;
}

/** PostgreSQL gathers statistics by itself. */
const VARIANTS: readonly Variant[] = [
  { name: 'sqlite', isAnalyzed: false },
  { name: 'sqlite', isAnalyzed: true },
  { name: 'postgres', isAnalyzed: true },
];

for (const variant of VARIANTS) {
  const { name, isAnalyzed } = variant;
  describe(`${name}: statements of SCIM ${isAnalyzed ? 'with' : 'without'} statistics`, () => {
    test('filters by equality read a number of rows that does not depend on the organization', async (t) => {
      const { database, storage, own, users, groups, statements } = await createWorld(t, variant);
      statements.length = 0;
      for (const filter of FILTERS.User(7, users[7]?.id ?? '')) {
        const found = await storage.listUsers(own, queryOf(USER, { filter }));
        assert.deepEqual([found.total, found.items[0]?.id], [1, users[7]?.id], filter);
      }
      for (const filter of FILTERS.Group(7, groups[7]?.id ?? '')) {
        const found = await storage.listGroups(own, queryOf(GROUP, { filter }));
        assert.deepEqual([found.total, found.items[0]?.id], [1, groups[7]?.id], filter);
      }
      // As a search over users and groups has it.
      const across = parseFilterAcross('userName eq "x" or displayName eq "group 7"', GROUP, [
        USER,
      ]);
      const query = { ...queryOf(GROUP), filter: across };
      assert.deepEqual((await storage.listGroups(own, query)).items, [groups[7]]);
      const lonely = `members.value eq "${users[9]?.id}"`;
      assert.equal((await storage.listGroups(own, queryOf(GROUP, { filter: lonely }))).total, 1);
      assert.ok(statements.length >= 11);
      for (const each of statements) await requireFewRows(database.reader, each);
    });

    test('changes of one member read a number of rows that does not depend on the group', async (t) => {
      const { database, storage, own, users, large, statements } = await createWorld(t, variant);
      const [first, second] = users;
      assert.ok(first && second);
      statements.length = 0;
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        assert.ok(await tx.lockGroup(own, large.id));
        assert.ok(await tx.touchGroup(own, large.id, LATER));
        assert.equal((await tx.addGroupMembers(own, large.id, [first.id], LATER)).added, 1);
        await tx.removeGroupMembers(own, large.id, [second.id]);
        assert.ok(await tx.updateUser({ ...first, version: 2 }, first));
        assert.ok(await tx.deleteUser(own, users[9]?.id ?? '', LATER));
      });
      await storage.findUserByName(own, first.userName);
      await storage.listGroupsOf(own, [users[11]?.id ?? '']);
      assert.ok(statements.length >= 10);
      const rollback = database.transaction(async (session) => {
        for (const each of statements) await requireFewRows(session, each);
        throw new Error('only explained');
      });
      await assert.rejects(rollback, /only explained/);
    });
  });
}
