import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT, LATER, newNugget } from '../fixtures.ts';
import type { KnowledgeStorage } from '../storage.ts';
import { contentKeyOf } from './content-key.ts';
import type { Nugget } from './types.ts';

type Opened = OpenedStorage<KnowledgeStorage>;

/** Contract checks of a storage for nuggets, by test title. */
export const nuggetPromises: Readonly<Record<string, PromiseCheck<KnowledgeStorage>>> = {
  'a nugget is read back unchanged, by its own organization only': readsBack,
  'nuggets are found by id and by content key, in their own organization only': finds,
  'nuggets are listed oldest first, in pages, with the total': listsInPages,
  'a list has the nuggets that match every filter': filters,
  'a replaced nugget has all new fields, and the content key of its new claim': replaces,
  'the extent grows with each advance and belongs to one organization': advances,
  'changes behind a place are read in their order, with deletions': readsChanges,
  'changes behind a place are counted, and organizations with nuggets are listed by id': counts,
  'a deleted nugget is gone, for its own organization only, and its deletion is forgotten by age':
    deletes,
  'a failed transaction stores no nugget and takes no sequence': rollsBack,
};

async function insert(storage: KnowledgeStorage, ...nuggets: Nugget[]): Promise<void> {
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertNuggets(nuggets));
}

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const full = newNugget(own, {
    claim: 'Wasser siedet „bei" 100 °C\n— 🌡',
    category: "O'Neill",
    confidence: 0.9,
    updatedAt: LATER,
  });
  const bare = newNugget(own, { sequence: 2 });
  await insert(storage, full, bare);
  assert.deepEqual(await (openAnother() ?? storage).findNugget(own, full.id), full);
  assert.deepEqual(await storage.findNugget(own, bare.id), bare);
  assert.equal(await storage.findNugget(other, full.id), null);
  assert.equal(await storage.findNugget(own, 'nug_unknown'), null);
}

async function finds({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [first, second] = [newNugget(own), newNugget(own)];
  const theirs = newNugget(other, { claim: first.claim });
  await insert(storage, first, second, theirs);
  const ids = [second.id, theirs.id, 'nug_unknown'];
  assert.deepEqual(await storage.findNuggets(own, ids), [second]);
  assert.deepEqual(await storage.findNuggets(own, []), []);
  const keys = [contentKeyOf(first), contentKeyOf(newNugget(own))];
  assert.deepEqual(await storage.findNuggetsByKeys(own, keys), [first]);
  assert.deepEqual(await storage.findNuggetsByKeys(other, keys), [theirs]);
  assert.deepEqual(await storage.findNuggetsByKeys(own, []), []);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newer = newNugget(own, { createdAt: LATER });
  const tied = [newNugget(own), newNugget(own)];
  await insert(storage, newer, ...tied, newNugget(other));
  const first = await storage.listNuggets(own, {}, { limit: 2, offset: 0 });
  const rest = await storage.listNuggets(own, {}, { limit: 2, offset: 2 });
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ id }) => id),
    [...tied.map(({ id }) => id).sort(), newer.id],
  );
  assert.deepEqual([first.total, rest.total], [3, 3]);
}

async function filters({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const claims = ['Über 100% of Müller', 'über 1000 of müller', 'a_b', 'axb'];
  const categories = ['physics', null, 'physics', 'Physics'];
  const nuggets = claims.map((claim, at) =>
    newNugget(own, {
      claim,
      category: categories[at] ?? null,
      createdAt: new Date(CREATED_AT.getTime() + at),
      ...(at === 3 ? { sourceUrl: 'https://other.example/' } : {}),
    }),
  );
  await insert(storage, ...nuggets);
  const found = async (filter: object) => {
    const { items, total } = await storage.listNuggets(own, filter, { limit: 9, offset: 0 });
    assert.equal(total, items.length);
    return items.map(({ claim }) => claims.indexOf(claim));
  };
  assert.deepEqual(await found({ category: 'physics' }), [0, 2]);
  assert.deepEqual(await found({ category: 'physics', sourceUrl: 'https://other.example/' }), []);
  assert.deepEqual(await found({ sourceUrl: 'https://other.example/' }), [3]);
}

async function replaces({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const [before, kept] = [newNugget(own), newNugget(own)];
  await insert(storage, before, kept);
  const after: Nugget = {
    ...{ ...before, claim: 'Another claim', sourceUrl: 'https://b.example/', category: 'x' },
    ...{ confidence: 0, updatedAt: LATER, sequence: 7 },
  };
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.replaceNuggets([after]));
  assert.deepEqual(await storage.findNugget(own, before.id), after);
  assert.deepEqual(await storage.findNugget(own, kept.id), kept);
  assert.deepEqual(await storage.findNuggetsByKeys(own, [contentKeyOf(after)]), [after]);
  assert.deepEqual(await storage.findNuggetsByKeys(own, [contentKeyOf(before)]), []);
}

async function advances({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const advance = (changes: number, nuggets: number) =>
    storage.withTenantLock(OUTSIDE_REQUEST, own, (tx) =>
      tx.advanceKnowledge(own, { changes, nuggets }),
    );
  assert.deepEqual(await storage.findKnowledgeExtent(own), { sequence: 0, nuggets: 0 });
  assert.deepEqual(await advance(3, 2), { sequence: 3, nuggets: 2 });
  assert.deepEqual(await advance(1, -1), { sequence: 4, nuggets: 1 });
  await Promise.all(Array.from({ length: 8 }, () => advance(1, 1)));
  assert.deepEqual(await storage.findKnowledgeExtent(own), { sequence: 12, nuggets: 9 });
  assert.deepEqual(await storage.findKnowledgeExtent(other), { sequence: 0, nuggets: 0 });
}

async function readsChanges({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const nuggets = [4, 1, 3].map((sequence) => newNugget(own, { sequence }));
  const [fourth, first, third] = nuggets as [Nugget, Nugget, Nugget];
  await insert(storage, ...nuggets, newNugget(other, { sequence: 2 }));
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.deleteNugget(own, third.id, { sequence: 5, at: LATER }),
  );
  const removed = [{ id: third.id, sequence: 5 }];
  assert.deepEqual(await storage.readNuggetChanges(own, 0, 9), {
    nuggets: [first, fourth],
    removed,
  });
  assert.deepEqual(await storage.readNuggetChanges(own, 0, 1), { nuggets: [first], removed });
  assert.deepEqual(await storage.readNuggetChanges(own, 4, 9), { nuggets: [], removed });
  assert.deepEqual(await storage.readNuggetChanges(own, 5, 9), { nuggets: [], removed: [] });
}

async function counts({ storage, createTenant }: Opened): Promise<void> {
  const tenants = [await createTenant(), await createTenant(), await createTenant()].sort();
  const [own, other] = tenants as [string, string];
  for (const id of [other, own]) {
    await storage.withTenantLock(OUTSIDE_REQUEST, id, (tx) =>
      tx.advanceKnowledge(id, { changes: 1, nuggets: 1 }),
    );
  }
  const nuggets = [1, 2, 4].map((sequence) => newNugget(own, { sequence }));
  await insert(storage, ...nuggets, newNugget(other, { sequence: 9 }));
  const removal = { sequence: 5, at: LATER };
  const gone = nuggets[0]?.id ?? '';
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteNugget(own, gone, removal));
  const counted = [0, 2, 4, 5].map((after) => storage.countNuggetChanges(own, after));
  assert.deepEqual(await Promise.all(counted), [3, 2, 1, 0]);
  const listed = await storage.listKnowledgeOrganizations(null, 1_000);
  assert.deepEqual(
    listed.filter((id) => tenants.includes(id)),
    [own, other],
  );
  assert.deepEqual((await storage.listKnowledgeOrganizations(own, 1))[0], other);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [gone, kept] = [newNugget(own), newNugget(own)];
  await insert(storage, gone, kept);
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.deleteNugget(organizationId, gone.id, { sequence: 2, at: CREATED_AT }),
    );
  assert.deepEqual([await remove(other), await remove(own)], [false, true]);
  assert.equal(await remove(own), false);
  assert.equal(await storage.findNugget(own, gone.id), null);
  assert.deepEqual(await storage.findNuggetsByKeys(own, [contentKeyOf(gone)]), []);
  assert.deepEqual(await storage.findNugget(own, kept.id), kept);
  const forget = (before: Date) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetRemovedNuggets(before, 100));
  assert.equal(await forget(CREATED_AT), 0);
  assert.equal(await forget(LATER), 1);
  assert.deepEqual((await storage.readNuggetChanges(own, 0, 9)).removed, []);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.advanceKnowledge(own, { changes: 1, nuggets: 1 });
    await tx.insertNuggets([newNugget(own)]);
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  const { total } = await storage.listNuggets(own, {}, { limit: 1, offset: 0 });
  assert.equal(total, 0);
  assert.deepEqual(await storage.findKnowledgeExtent(own), { sequence: 0, nuggets: 0 });
}
