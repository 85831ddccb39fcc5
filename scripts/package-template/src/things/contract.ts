import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import type { SampleStorage } from '../storage.ts';
import type { Thing } from './types.ts';

type Opened = OpenedStorage<SampleStorage>;

/** Contract of every storage adapter for ~things~: test title and check. */
export const thingPromises: Readonly<Record<string, PromiseCheck<SampleStorage>>> = {
  'a ~thing~ is read as it was stored, by its own organization only': readsBack,
  '~things~ are listed oldest first, in pages, with the total': listsInPages,
  'an update changes the given members of a ~thing~ and nothing else': updates,
  'a ~thing~ is deleted by its own organization, once': deletes,
  'a transaction that fails leaves no ~thing~ behind': rollsBack,
};

const EARLIER = new Date('2026-01-01T00:00:00.000Z');
const LATER = new Date('2026-01-01T00:00:15.000Z');

function newThing(organizationId: string, id: string, facts: Partial<Thing> = {}): Thing {
  return { id, organizationId, name: `Name of ${id} 'ä"`, createdAt: EARLIER, ...facts };
}

async function insert(storage: SampleStorage, ...things: Thing[]): Promise<void> {
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const thing of things) await tx.insertThing(thing);
  });
}

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const thing = newThing(own, 'idp_1');
  await insert(storage, thing);
  assert.deepEqual(await (openAnother() ?? storage).findThing(own, thing.id), thing);
  assert.equal(await storage.findThing(other, thing.id), null);
  assert.equal(await storage.findThing(own, 'idp_unknown'), null);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newest = newThing(own, 'idp_1', { createdAt: LATER });
  await insert(storage, newest, newThing(own, 'idp_3'), newThing(own, 'idp_2'));
  await insert(storage, newThing(other, 'idp_4'));
  const first = await storage.listThings(own, { limit: 2, offset: 0 });
  const rest = await storage.listThings(own, { limit: 2, offset: 2 });
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ id }) => id),
    ['idp_2', 'idp_3', 'idp_1'],
  );
  assert.deepEqual([first.total, rest.total], [3, 3]);
}

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const thing = newThing(own, 'idp_1');
  await insert(storage, thing, newThing(own, 'idp_2'));
  const update = (organizationId: string, changes: Partial<Thing>) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.updateThing(organizationId, thing.id, changes),
    );
  assert.deepEqual(await update(own, {}), thing);
  const changed = { ...thing, name: 'Other' };
  assert.deepEqual(await update(own, { name: 'Other' }), changed);
  assert.equal(await update(other, { name: 'Theirs' }), null);
  assert.deepEqual(await storage.findThing(own, thing.id), changed);
  assert.deepEqual(await storage.findThing(own, 'idp_2'), newThing(own, 'idp_2'));
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await insert(storage, newThing(own, 'idp_1'), newThing(own, 'idp_2'));
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteThing(organizationId, 'idp_1'));
  assert.deepEqual([await remove(other), await remove(own), await remove(own)], [false, true, false]);
  assert.equal(await storage.findThing(own, 'idp_1'), null);
  assert.equal((await storage.listThings(own, { limit: 9, offset: 0 })).total, 1);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertThing(newThing(own, 'idp_1'));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.findThing(own, 'idp_1'), null);
}
