import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { protectedTextFixture } from '../fixtures.ts';
import type { ProtectedTextStorage, ProtectedTextTransaction } from './storage.ts';

type Opened = OpenedStorage<ProtectedTextStorage>;

/** Contract checks of a storage for protected texts, by test title. */
export const protectedTextPromises: Readonly<Record<string, PromiseCheck<ProtectedTextStorage>>> = {
  'a protected text is read back unchanged, by its own organization only': readsBack,
  'protected texts are listed oldest first, in pages, without their texts': lists,
  'a replaced protected text has the new members': replaces,
  'a deleted protected text is gone, for its own organization only': deletes,
  'every change of protected texts changes the generation of its organization, and no other':
    counts,
  'a failed transaction changes neither protected texts nor the generation': rollsBack,
  'sealed texts are listed by id and replaced while they are as they were': reseals,
};

function change<T>(
  storage: ProtectedTextStorage,
  work: (tx: ProtectedTextTransaction) => Promise<T>,
): Promise<T> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const text = protectedTextFixture({ id: 'ptx_a', organizationId: own });
  await change(storage, (tx) => tx.insertProtectedText(text));
  assert.deepEqual(await storage.findProtectedText(own, 'ptx_a'), text);
  assert.deepEqual(await storage.readProtectedTexts(own), [text]);
  assert.equal(await storage.findProtectedText(other, 'ptx_a'), null);
  assert.deepEqual(await storage.readProtectedTexts(other), []);
  assert.deepEqual(await storage.protectedTextExtent(own), { count: 1, length: text.length });
  assert.deepEqual(await storage.protectedTextExtent(other), { count: 0, length: 0 });
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const at = (id: string, second: number) =>
    protectedTextFixture({ id, organizationId, createdAt: new Date(second * 1_000) });
  const [late, second, first] = [at('ptx_a', 9), at('ptx_c', 1), at('ptx_b', 1)];
  await change(storage, async (tx) => {
    for (const text of [late, second, first]) await tx.insertProtectedText(text);
  });
  const page = await storage.listProtectedTexts(organizationId, { limit: 2, offset: 1 });
  assert.deepEqual([page.items.map(({ id }) => id), page.total], [['ptx_c', 'ptx_a'], 3]);
  assert.equal('sealedText' in (page.items[0] ?? {}), false);
}

async function replaces({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const text = protectedTextFixture({ id: 'ptx_a', organizationId });
  const changed = { ...text, name: 'Other', length: 3, hash: 'd'.repeat(64), sealedText: 'other' };
  await change(storage, (tx) => tx.insertProtectedText(text));
  await change(storage, (tx) => tx.replaceProtectedText(changed));
  assert.deepEqual(await storage.findProtectedText(organizationId, 'ptx_a'), changed);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const text = protectedTextFixture({ id: 'ptx_a', organizationId: own });
  await change(storage, (tx) => tx.insertProtectedText(text));
  assert.equal(await change(storage, (tx) => tx.deleteProtectedText(other, 'ptx_a')), false);
  assert.equal(await change(storage, (tx) => tx.deleteProtectedText(own, 'ptx_a')), true);
  assert.equal(await change(storage, (tx) => tx.deleteProtectedText(own, 'ptx_a')), false);
  assert.equal(await storage.findProtectedText(own, 'ptx_a'), null);
}

async function counts({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const text = protectedTextFixture({ id: 'ptx_a', organizationId: own });
  const seen = [await storage.protectedTextGeneration(own)];
  for (const work of [
    (tx: ProtectedTextTransaction) => tx.insertProtectedText(text),
    (tx: ProtectedTextTransaction) => tx.replaceProtectedText({ ...text, name: 'Other' }),
    (tx: ProtectedTextTransaction) => tx.deleteProtectedText(own, 'ptx_a'),
  ]) {
    await change<unknown>(storage, work);
    seen.push(await storage.protectedTextGeneration(own));
  }
  assert.equal(new Set(seen).size, 4);
  assert.equal(seen[0], 0);
  assert.equal(await storage.protectedTextGeneration(other), 0);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const failing = change(storage, async (tx) => {
    await tx.insertProtectedText(protectedTextFixture({ id: 'ptx_a', organizationId }));
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  assert.equal(await storage.protectedTextGeneration(organizationId), 0);
  assert.deepEqual(await storage.readProtectedTexts(organizationId), []);
}

async function reseals({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  await change(storage, async (tx) => {
    for (const id of ['ptx_b', 'ptx_a']) {
      await tx.insertProtectedText(protectedTextFixture({ id, organizationId }));
    }
  });
  const first = await storage.listSealedProtectedTexts('other', '', 1);
  assert.deepEqual(first, [{ id: 'ptx_a', sealed: 'sealed ptx_a' }]);
  const next = await storage.listSealedProtectedTexts('other', 'ptx_a', 10);
  assert.deepEqual(next, [{ id: 'ptx_b', sealed: 'sealed ptx_b' }]);
  for (const from of ['stale', 'sealed ptx_a']) {
    await change(storage, (tx) =>
      tx.replaceSealedProtectedText({ id: 'ptx_a', from, to: `from ${from}` }),
    );
  }
  const found = await storage.findProtectedText(organizationId, 'ptx_a');
  assert.equal(found?.sealedText, 'from sealed ptx_a');
}
