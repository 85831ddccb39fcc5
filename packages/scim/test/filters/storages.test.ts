import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createTestTenant } from '@probity/core/testing';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import {
  matchesGroup,
  matchesUser,
  toComparedGroup,
  toComparedUser,
} from '../../src/filters/matches.ts';
import { CREATED_AT, newGroup, newUser } from '../../src/fixtures.ts';
import type {
  Filter,
  JsonObject,
  ResourceQuery,
  ScimGroup,
  ScimStorage,
  ScimUser,
} from '../../src/index.ts';
import { compareBy, foldCase, GROUP, parseFilter, printFilter, USER } from '../../src/index.ts';
import { storageOf, targets } from '../targets.ts';
import { bodiesOf, filtersOf, pathsOf } from './filters.ts';

const COUNT = 24;

/** Attributes that are compared with case. */
const EXACT: ReadonlySet<string> = new Set(['id', 'externalId']);

/** Members of a user or a group from a generated body; names are made unique. */
function factsOf(body: JsonObject, index: number) {
  const { schemas: _, id: __, meta, userName, externalId, active, groups: ___, ...rest } = body;
  const { displayName, members: ____, ...ofGroup } = rest;
  const { created, lastModified } = (meta ?? {}) as Readonly<Record<string, string>>;
  return {
    common: {
      createdAt: created ? new Date(created) : CREATED_AT,
      lastModifiedAt: lastModified ? new Date(lastModified) : CREATED_AT,
      externalId: typeof externalId === 'string' ? externalId : null,
      version: 1 + index,
    },
    user: { userName: `${userName ?? ''}${index}`, active: active === true, attributes: rest },
    group: { displayName: `${displayName ?? ''}${index}`, attributes: ofGroup },
  };
}

/** Stores users and groups with random attributes and memberships. */
async function fill(storage: ScimStorage, organizationId: string) {
  const users = fc.sample(bodiesOf(USER), COUNT).map((body, index) => {
    const { common, user } = factsOf(body, index);
    return newUser(organizationId, { ...common, ...user });
  });
  const groups = fc.sample(bodiesOf(GROUP), COUNT).map((body, index) => {
    const { common, group } = factsOf(body, index);
    return newGroup(organizationId, { ...common, ...group });
  });
  const candidates = [...users, ...groups].map(({ id }) => id);
  const memberships = fc.sample(fc.subarray(candidates, { maxLength: 5 }), COUNT);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const user of users) await tx.insertUser(user);
    for (const group of groups) await tx.insertGroup(group);
    for (const [index, { id }] of groups.entries()) {
      await tx.addGroupMembers(organizationId, id, memberships[index] ?? [], CREATED_AT);
    }
  });
  return {
    users: users.sort(byCreation),
    groups: groups.sort(byCreation),
    groupsOf: await storage.listGroupsOf(
      organizationId,
      users.map(({ id }) => id),
    ),
    membersOf: await storage.listGroupMembers(
      organizationId,
      groups.map(({ id }) => id),
    ),
  };
}

type Resource = ScimUser | ScimGroup;

function byCreation(left: Resource, right: Resource): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1);
}

const idsOf = (resources: readonly Resource[]) => resources.map(({ id }) => id);

function queryFor(filter: Filter | null, facts: Partial<ResourceQuery> = {}): ResourceQuery {
  return { filter, sort: null, start: { offset: 0 }, limit: 1_000, ...facts };
}

for (const target of targets) {
  test(`${target.name}: lists by random filters are what matches selects`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    const storage = storageOf(opened);
    const { organizationId: own } = await createTestTenant(opened);
    const { users, groups, groupsOf, membersOf } = await fill(storage, own);
    const ofUsers = fc.asyncProperty(filtersOf(USER), async (filter) => {
      const expected = users.filter((user) => matchesUser(filter, user, groupsOf.get(user.id)));
      const { items, total } = await storage.listUsers(own, queryFor(filter));
      assert.deepEqual(idsOf(items), idsOf(expected), printFilter(filter));
      assert.equal(total, expected.length);
    });
    await fc.assert(ofUsers, { numRuns: roundsOf(1_000) });
    const ofGroups = fc.asyncProperty(filtersOf(GROUP), async (filter) => {
      const expected = groups.filter((group) =>
        matchesGroup(filter, group, membersOf.get(group.id)),
      );
      const { items, total } = await storage.listGroups(own, queryFor(filter));
      assert.deepEqual(idsOf(items), idsOf(expected), printFilter(filter));
      assert.equal(total, expected.length);
    });
    await fc.assert(ofGroups, { numRuns: roundsOf(500) });
  });

  test(`${target.name}: lists by equality with a stored value are what matches selects`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    const storage = storageOf(opened);
    const { organizationId: own } = await createTestTenant(opened);
    const { users } = await fill(storage, own);
    // The filters that indexes serve, with values that are there, in another case.
    const terms = users.flatMap((user) => {
      const { id, userName, externalId, attributes } = user;
      const { displayName, emails = [] } = attributes as {
        displayName?: string;
        emails?: ReadonlyArray<{ value?: string }>;
      };
      const values = { id, externalId, userName, displayName, 'emails.value': emails[0]?.value };
      return Object.entries(values).filter(([, value]) => typeof value === 'string');
    });
    const term = fc.constantFrom(...terms).map(([name, value]) => ({ name, value }));
    const equal = fc.tuple(term, fc.constantFrom('or', 'and'), term);
    const property = fc.asyncProperty(equal, async ([left, operator, right]) => {
      const text = [left, right]
        .map(
          ({ name, value }) =>
            `${name} eq ${JSON.stringify(EXACT.has(name) ? value : foldCase(`${value}`))}`,
        )
        .join(` ${operator} `);
      const filter = parseFilter(text, USER);
      const expected = users.filter((user) => matchesUser(filter, user));
      const { items, total } = await storage.listUsers(own, queryFor(filter));
      assert.deepEqual(idsOf(items), idsOf(expected), text);
      assert.equal(total, expected.length);
    });
    await fc.assert(property, { numRuns: roundsOf(300) });
  });

  test(`${target.name}: lists are sorted by every attribute as compareBy orders them`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    const storage = storageOf(opened);
    const { organizationId: own } = await createTestTenant(opened);
    const { users, groups } = await fill(storage, own);
    const list = { User: storage.listUsers, Group: storage.listGroups };
    for (const type of [USER, GROUP]) {
      const bodies: ReadonlyArray<readonly [id: string, body: JsonObject]> =
        type === USER
          ? users.map((user) => [user.id, toComparedUser(user, [])])
          : groups.map((group) => [group.id, toComparedGroup(group, [])]);
      for (const path of pathsOf(type)) {
        for (const order of ['ascending', 'descending'] as const) {
          const compare = compareBy(path, order);
          const expected = [...bodies].sort(([, left], [, right]) => compare(left, right));
          const sort = { path, order };
          const page = { sort, start: { offset: 3 }, limit: 15 };
          const { items } = await list[type.name](own, queryFor(null, page));
          const name = `${path.attribute.name}.${path.subAttribute?.name} ${order}`;
          assert.deepEqual(idsOf(items), expected.map(([id]) => id).slice(3, 18), name);
        }
      }
    }
  });
}
