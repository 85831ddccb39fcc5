import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { CREATED_AT, LATER } from '../fixtures.ts';
import type { KnowledgeStorage } from '../storage.ts';
import type { Correction } from './types.ts';

type Opened = OpenedStorage<KnowledgeStorage>;

/** Contract checks of a storage for corrections, by test title. */
export const correctionPromises: Readonly<Record<string, PromiseCheck<KnowledgeStorage>>> = {
  'a correction is read back unchanged, by its own organization only': readsBack,
  'corrections are listed newest first, in pages, of all nuggets or one': lists,
  'a failed transaction stores no correction': rollsBack,
};

function newCorrection(organizationId: string, facts: Partial<Correction> = {}): Correction {
  return {
    id: 'cor_1',
    organizationId,
    nuggetId: 'nug_1',
    claim: 'Wasser siedet bei 90 °C',
    correction: 'Wasser siedet „bei" 100 °C\n— 🌡',
    sourceUrl: 'https://facts.example/water',
    createdAt: CREATED_AT,
    ...facts,
  };
}

async function insert(storage: KnowledgeStorage, ...corrections: Correction[]): Promise<void> {
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const correction of corrections) await tx.insertCorrection(correction);
  });
}

async function readsBack({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const correction = newCorrection(own);
  await insert(storage, correction);
  assert.deepEqual(await (openAnother() ?? storage).findCorrection(own, 'cor_1'), correction);
  assert.equal(await storage.findCorrection(other, 'cor_1'), null);
  assert.equal(await storage.findCorrection(own, 'cor_unknown'), null);
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newest = newCorrection(own, { id: 'cor_0', createdAt: LATER, nuggetId: 'nug_2' });
  const tied = ['cor_1', 'cor_2'].map((id) => newCorrection(own, { id }));
  await insert(storage, ...tied, newest, newCorrection(other, { id: 'cor_3' }));
  const idsOf = async (filter: object, limit = 9, offset = 0) => {
    const { items, total } = await storage.listCorrections(own, filter, { limit, offset });
    return [items.map(({ id }) => id), total];
  };
  assert.deepEqual(await idsOf({}), [['cor_0', 'cor_2', 'cor_1'], 3]);
  assert.deepEqual(await idsOf({}, 1, 2), [['cor_1'], 3]);
  assert.deepEqual(await idsOf({ nuggetId: 'nug_1' }), [['cor_2', 'cor_1'], 2]);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertCorrection(newCorrection(own));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.findCorrection(own, 'cor_1'), null);
}
