import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT, insertGroup, insertUser, LATER, nextId, queryOf } from '../fixtures.ts';
import type { ScimGroup } from '../resources/types.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { ScimStorage } from '../storage.ts';

type Opened = OpenedStorage<ScimStorage>;

/** Contract checks of a storage for groups, by test title. */
export const groupPromises: Readonly<Record<string, PromiseCheck<ScimStorage>>> = {
  'a group is read back unchanged, by its own organization only': readsBack,
  'the name of a group is unique in its organization without regard to case': keepsNamesUnique,
  'an update replaces a group of the version before it and leaves its members': updates,
  'a change of the members counts as a version of the group': touches,
  'a group that is locked is read as the last change left it, by its own organization only': locks,
  'members are users and groups, listed in the order of their addition': listsMembers,
  'nothing is added to a group when an id is unknown': refusesUnknown,
  'members are removed by id, or all at once': removesMembers,
  'a deleted group is gone, with its memberships and its own in other groups': deletes,
  'a deleted user leaves all groups, which count that as a change': losesDeletedUsers,
  'the groups of a user are its own, then those that contain them': listsGroupsOf,
  'groups that contain each other are listed once': listsCycles,
  'groups are found by name, externalId and members': finds,
  'groups are listed oldest first, in pages, with the total': listsInPages,
  'parallel additions, removals and renames of a group lose nothing': changesInParallel,
  'a user that is deleted while groups remove and add it is a member of none': deletesWhileAdding,
};

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own, {
    displayName: 'Tour Guides "ΣΑΣ"',
    externalId: 'ext:1',
    version: 4,
    lastModifiedAt: LATER,
  });
  assert.deepEqual(await storage.findGroup(own, group.id), group);
  assert.deepEqual(await storage.findGroupByName(own, 'TOUR guides "σασ"'), group);
  assert.equal(await storage.findGroup(other, group.id), null);
  assert.equal(await storage.findGroupByName(other, group.displayName), null);
  assert.equal(await storage.findGroup(own, nextId()), null);
  assert.deepEqual([await storage.countGroups(own), await storage.countGroups(other)], [1, 0]);
  assert.deepEqual(await storage.listGroupMembers(own, [group.id]), new Map([[group.id, []]]));
}

async function keepsNamesUnique({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own, { displayName: 'Guides' });
  const second = await insertGroup(storage, own);
  const inUse = { kind: 'already_exists', reason: 'uniqueness' };
  await assert.rejects(insertGroup(storage, own, { displayName: 'GUIDES' }), inUse);
  await assert.rejects(update(storage, { ...second, version: 2, displayName: 'guides' }), inUse);
  await insertGroup(storage, other, { displayName: 'guides' });
  assert.equal(await update(storage, { ...group, version: 2, displayName: 'GUIDES' }), true);
}

function update(storage: ScimStorage, group: ScimGroup): Promise<boolean> {
  return storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateGroup(group));
}

function add(storage: ScimStorage, organizationId: string, groupId: string, ...ids: string[]) {
  return storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.addGroupMembers(organizationId, groupId, ids, CREATED_AT),
  );
}

/** The ids of a group's members. */
async function membersOf(storage: ScimStorage, { organizationId, id }: ScimGroup) {
  const members = await storage.listGroupMembers(organizationId, [id]);
  return (members.get(id) ?? []).map((member) => member.id);
}

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own);
  const user = await insertUser(storage, own);
  await add(storage, own, group.id, user.id);
  const changed = {
    ...group,
    version: 2,
    displayName: 'New',
    externalId: 'x',
    lastModifiedAt: LATER,
  };
  assert.equal(await update(storage, { ...changed, organizationId: other }), false);
  assert.equal(await update(storage, { ...changed, version: 3 }), false);
  assert.equal(await update(storage, changed), true);
  assert.equal(await update(storage, changed), false, 'again');
  assert.deepEqual(await storage.findGroup(own, group.id), changed);
  assert.deepEqual(await membersOf(storage, group), [user.id]);
}

async function touches({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own);
  const touch = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.touchGroup(organizationId, group.id, LATER));
  const touched = { ...group, version: 2, lastModifiedAt: LATER };
  assert.equal(await touch(other), null);
  assert.deepEqual(await touch(own), touched);
  assert.deepEqual(await storage.findGroup(own, group.id), touched);
  await Promise.all(Array.from({ length: 20 }, () => touch(own)));
  assert.equal((await storage.findGroup(own, group.id))?.version, 22);
}

async function locks({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own);
  const storages = [storage, openAnother() ?? storage];
  const lock = (organizationId: string, id: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.lockGroup(organizationId, id));
  assert.equal(await lock(other, group.id), null);
  assert.equal(await lock(own, nextId()), null);
  assert.deepEqual(await lock(own, group.id), group);
  const renameAfterLock = (index: number) =>
    (storages[index % 2] ?? storage).transaction(OUTSIDE_REQUEST, async (tx) => {
      const locked = await tx.lockGroup(own, group.id);
      assert.ok(locked);
      const { version } = locked;
      return tx.updateGroup({ ...locked, version: version + 1, externalId: `e-${index}` });
    });
  const renamed = await Promise.all(
    Array.from({ length: 20 }, (_, index) => renameAfterLock(index)),
  );
  assert.deepEqual(new Set(renamed), new Set([true]));
  assert.equal((await storage.findGroup(own, group.id))?.version, 21);
}

async function listsMembers({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [late, nested] = [await insertUser(storage, own), await insertGroup(storage, own)];
  const group = await insertGroup(storage, own);
  const named = await insertUser(storage, own, { attributes: { displayName: 'Ana' } });
  const addAt = (at: Date, ...ids: string[]) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.addGroupMembers(own, group.id, ids, at));
  const first = await addAt(CREATED_AT, named.id, nested.id, named.id);
  assert.deepEqual(first, { unknown: [], added: 2, groups: [nested.id] });
  const second = await addAt(LATER, late.id, named.id);
  assert.deepEqual(second, { unknown: [], added: 1, groups: [] });
  const expected = [
    { id: nested.id, type: 'Group', display: nested.displayName },
    { id: named.id, type: 'User', display: 'Ana' },
    { id: late.id, type: 'User', display: late.userName },
  ];
  const members = await storage.listGroupMembers(own, [group.id, nested.id]);
  assert.deepEqual(
    members,
    new Map([
      [group.id, expected],
      [nested.id, []],
    ]),
  );
  assert.deepEqual((await storage.listGroupMembers(other, [group.id])).get(group.id), []);
}

async function refusesUnknown({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const group = await insertGroup(storage, own);
  const [user, foreign] = [await insertUser(storage, own), await insertUser(storage, other)];
  const missing = nextId();
  const refused = await add(storage, own, group.id, missing, user.id, foreign.id);
  assert.deepEqual([refused.unknown, refused.added], [[missing, foreign.id], 0]);
  assert.deepEqual(await membersOf(storage, group), []);
  const nothing = await add(storage, own, group.id);
  assert.deepEqual(nothing, { unknown: [], added: 0, groups: [] });
}

async function removesMembers({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [group, kept] = [await insertGroup(storage, own), await insertGroup(storage, own)];
  const [ana, ben, cleo] = [
    await insertUser(storage, own),
    await insertUser(storage, own),
    await insertUser(storage, own),
  ];
  for (const { id } of [group, kept]) await add(storage, own, id, ana.id, ben.id, cleo.id);
  const remove = (organizationId: string, ids: readonly string[] | null) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.removeGroupMembers(organizationId, group.id, ids),
    );
  assert.equal(await remove(other, [ana.id]), 0);
  assert.equal(await remove(other, null), 0);
  assert.equal(await remove(own, []), 0);
  assert.deepEqual(await membersOf(storage, group), [ana.id, ben.id, cleo.id]);
  assert.equal(await remove(own, [ben.id, nextId()]), 1);
  assert.deepEqual(await membersOf(storage, group), [ana.id, cleo.id]);
  assert.equal(await remove(own, null), 2);
  assert.deepEqual(await membersOf(storage, group), []);
  assert.deepEqual(await membersOf(storage, kept), [ana.id, ben.id, cleo.id]);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [group, outer] = [await insertGroup(storage, own), await insertGroup(storage, own)];
  const user = await insertUser(storage, own);
  await add(storage, own, group.id, user.id);
  await add(storage, own, outer.id, group.id, user.id);
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteGroup(organizationId, group.id, LATER));
  assert.equal(await remove(other), false);
  assert.deepEqual([await remove(own), await remove(own)], [true, false]);
  assert.equal(await storage.findGroup(own, group.id), null);
  assert.deepEqual(await membersOf(storage, group), []);
  assert.deepEqual(await membersOf(storage, outer), [user.id]);
  const touched = { ...outer, version: outer.version + 1, lastModifiedAt: LATER };
  assert.deepEqual(await storage.findGroup(own, outer.id), touched);
  assert.notEqual(await storage.findUser(own, user.id), null);
  await insertGroup(storage, own, { displayName: group.displayName });
}

async function losesDeletedUsers({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [user, kept] = [await insertUser(storage, own), await insertUser(storage, own)];
  const groups = [await insertGroup(storage, own), await insertGroup(storage, own)];
  const apart = await insertGroup(storage, own);
  for (const { id } of groups) await add(storage, own, id, user.id, kept.id);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteUser(own, user.id, LATER));
  // A client that has the members in the version before must read them again.
  for (const group of groups) {
    assert.deepEqual(await membersOf(storage, group), [kept.id]);
    const touched = { ...group, version: group.version + 1, lastModifiedAt: LATER };
    assert.deepEqual(await storage.findGroup(own, group.id), touched);
  }
  assert.deepEqual(await storage.findGroup(own, apart.id), apart);
}

async function listsGroupsOf({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const named = (displayName: string) => insertGroup(storage, own, { displayName });
  const [zoo, beta] = [await named('zoo'), await named('Beta')];
  const [all, alpha, none] = [await named('All'), await named('alpha'), await named('None')];
  const [user, lonely] = [await insertUser(storage, own), await insertUser(storage, own)];
  for (const { id } of [zoo, beta]) await add(storage, own, id, user.id);
  await add(storage, own, all.id, zoo.id);
  await add(storage, own, alpha.id, all.id, beta.id);
  // Direct membership counts more than an indirect one.
  await add(storage, own, beta.id, zoo.id);
  const groups = await storage.listGroupsOf(own, [user.id, lonely.id]);
  assert.deepEqual(groups.get(user.id), [
    { id: beta.id, display: 'Beta', type: 'direct' },
    { id: zoo.id, display: 'zoo', type: 'direct' },
    { id: all.id, display: 'All', type: 'indirect' },
    { id: alpha.id, display: 'alpha', type: 'indirect' },
  ]);
  assert.deepEqual(groups.get(lonely.id), []);
  assert.deepEqual((await storage.listGroupsOf(other, [user.id])).get(user.id), []);
  const filter = `groups.value eq "${alpha.id}" and groups[type eq "direct" and display sw "z"]`;
  const found = await storage.listUsers(own, queryOf(USER, { filter }));
  assert.deepEqual(found, { items: [user], total: 1 });
  const outside = queryOf(USER, { filter: `groups.value eq "${none.id}"` });
  assert.equal((await storage.listUsers(own, outside)).total, 0);
}

async function listsCycles({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [first, second] = [
    await insertGroup(storage, own, { displayName: 'a' }),
    await insertGroup(storage, own, { displayName: 'b' }),
  ];
  const user = await insertUser(storage, own);
  // Groups refuses circles; rows of a host may have them.
  await add(storage, own, first.id, user.id, second.id, first.id);
  await add(storage, own, second.id, first.id);
  assert.deepEqual((await storage.listGroupsOf(own, [user.id])).get(user.id), [
    { id: first.id, display: 'a', type: 'direct' },
    { id: second.id, display: 'b', type: 'indirect' },
  ]);
  const ofGroup = (await storage.listGroupsOf(own, [second.id])).get(second.id) ?? [];
  assert.deepEqual(new Set(ofGroup.map(({ id }) => id)), new Set([first.id, second.id]));
}

async function finds({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const guides = await insertGroup(storage, own, { displayName: 'Guides', externalId: 'E-1' });
  const empty = await insertGroup(storage, own, { displayName: 'Empty', createdAt: LATER });
  await insertGroup(storage, other, { displayName: 'Guides', externalId: 'E-1' });
  const user = await insertUser(storage, own, { attributes: { displayName: 'Ana' } });
  await add(storage, own, guides.id, user.id, empty.id);
  const found: ReadonlyArray<readonly [filter: string, groups: readonly ScimGroup[]]> = [
    ['displayName eq "GUIDES"', [guides]],
    ['externalId eq "E-1"', [guides]],
    ['externalId eq "e-1"', []],
    [`members.value eq "${user.id}"`, [guides]],
    [`members eq "${user.id}"`, [guides]],
    [`members[value eq "${user.id}" and type eq "user"]`, [guides]],
    [`members[value eq "${user.id}" and type eq "Group"]`, []],
    ['members.display co "MPT"', [guides]],
    ['not (members pr)', [empty]],
    [`id eq "${empty.id}" or members.display eq "ana"`, [guides, empty]],
    ['members.value ne "x"', [guides, empty]],
    ['members.$ref pr', []],
    ['meta.resourceType eq "Group" and displayName ew "PTY"', [empty]],
  ];
  for (const [filter, items] of found) {
    const page = await storage.listGroups(own, queryOf(GROUP, { filter }));
    assert.deepEqual(page, { items, total: items.length }, filter);
  }
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newer = await insertGroup(storage, own, { createdAt: LATER, displayName: 'a' });
  const tied = [
    await insertGroup(storage, own, { displayName: 'b' }),
    await insertGroup(storage, own, { displayName: 'C' }),
  ];
  await insertGroup(storage, other);
  const list = (rest: Parameters<typeof queryOf>[1]) =>
    storage.listGroups(own, queryOf(GROUP, rest));
  assert.deepEqual(await list({}), { items: [...tied, newer], total: 3 });
  assert.deepEqual(await list({ limit: 1, start: { offset: 1 } }), { items: [tied[1]], total: 3 });
  const after = tied[1] as ScimGroup;
  assert.deepEqual(await list({ start: { after } }), { items: [newer], total: 3 });
  assert.deepEqual(await list({ sortBy: 'displayName' }), { items: [newer, ...tied], total: 3 });
}

async function changesInParallel({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const group = await insertGroup(storage, own);
  const users = await Promise.all(Array.from({ length: 200 }, () => insertUser(storage, own)));
  const [leaving, joining] = [users.slice(0, 100), users.slice(100)];
  await add(storage, own, group.id, ...leaving.map(({ id }) => id));
  const storages = [storage, openAnother() ?? storage];
  const change = (index: number, work: (tx: Transaction) => Promise<unknown>) =>
    (storages[index % 2] ?? storage).transaction(OUTSIDE_REQUEST, async (tx) => {
      assert.ok(await tx.touchGroup(own, group.id, LATER));
      await work(tx);
    });
  const rename = async (tx: Transaction, name: string) => {
    const current = await tx.findGroup(own, group.id);
    assert.ok(current);
    const { version } = current;
    const changed = { ...current, version: version + 1, displayName: name };
    assert.equal(await tx.updateGroup(changed), true);
  };
  await Promise.all(
    joining.flatMap(({ id }, index) => [
      change(index, (tx) => tx.addGroupMembers(own, group.id, [id], LATER)),
      change(index + 1, (tx) =>
        tx.removeGroupMembers(own, group.id, [leaving[index]?.id as string]),
      ),
      ...(index % 10 === 0 ? [change(index, (tx) => rename(tx, `Name ${index}`))] : []),
    ]),
  );
  assert.deepEqual(new Set(await membersOf(storage, group)), new Set(joining.map(({ id }) => id)));
  const { version, displayName } = (await storage.findGroup(own, group.id)) as ScimGroup;
  assert.equal(version, 1 + 200 + 2 * 10);
  assert.match(displayName, /^Name \d+$/);
}

type Transaction = Parameters<Parameters<ScimStorage['transaction']>[1]>[0];

async function deletesWhileAdding({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const groups = [await insertGroup(storage, own), await insertGroup(storage, own)];
  const users = await Promise.all(Array.from({ length: 30 }, () => insertUser(storage, own)));
  const other = openAnother() ?? storage;
  const addAgain = (group: ScimGroup, id: string) =>
    storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await tx.keepMembers(own, [id], null);
      assert.ok(await tx.touchGroup(own, group.id, LATER));
      await tx.removeGroupMembers(own, group.id, [id]);
      await tx.addGroupMembers(own, group.id, [id], LATER);
    });
  for (const group of groups) await add(storage, own, group.id, ...users.map(({ id }) => id));
  await Promise.all(
    users.flatMap(({ id }) => [
      ...groups.map((group) => addAgain(group, id)),
      other.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteUser(own, id, LATER)),
    ]),
  );
  for (const group of groups) assert.deepEqual(await membersOf(storage, group), []);
  assert.equal(await storage.countUsers(own), 0);
}
