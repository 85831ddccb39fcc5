import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { appendEvidence, insertAiSystem, LATER, newAiSystem } from '../fixtures.ts';
import type { EvidenceStorage } from '../storage.ts';
import type { AiSystemChanges } from './types.ts';

type Opened = OpenedStorage<EvidenceStorage>;

/** Contract checks of a storage for AI systems, by test title. */
export const aiSystemPromises: Readonly<Record<string, PromiseCheck<EvidenceStorage>>> = {
  'an AI system is read back unchanged, by its own organization only': readsBack,
  'AI systems are listed oldest first, in pages, with the total': listsInPages,
  'an update changes the given members of an AI system and nothing else': updates,
  'a deleted AI system is gone, for its own organization only': deletes,
  'a failed transaction stores no AI system': rollsBack,
};

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const facts = {
    name: 'Bewerber-Auswahl „ä"',
    description: 'Ranks\napplications',
    riskClass: 'high',
    owner: "O'Neill",
  } as const;
  const full = await insertAiSystem(storage, own, facts);
  const bare = await insertAiSystem(storage, own);
  assert.deepEqual(await storage.findAiSystem(own, full.id), full);
  assert.deepEqual(await storage.findAiSystem(own, bare.id), bare);
  assert.equal(await storage.findAiSystem(other, full.id), null);
  assert.equal(await storage.findAiSystem(own, 'unknown'), null);
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newer = await insertAiSystem(storage, own, { createdAt: LATER });
  const tied = [await insertAiSystem(storage, own), await insertAiSystem(storage, own)];
  await insertAiSystem(storage, other);
  const expected = [...tied.map(({ id }) => id).sort(), newer.id];
  const { items, total } = await storage.listAiSystems(own, { limit: 2, offset: 0 });
  const rest = await storage.listAiSystems(own, { limit: 2, offset: 2 });
  assert.deepEqual(
    [...items, ...rest.items].map(({ id }) => id),
    expected,
  );
  assert.deepEqual([total, rest.total], [3, 3]);
}

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const aiSystem = await insertAiSystem(storage, own, { owner: 'Legal' });
  const update = (organizationId: string, changes: AiSystemChanges) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.updateAiSystem(organizationId, aiSystem.id, { ...changes, updatedAt: LATER }),
    );
  const touched = { ...aiSystem, updatedAt: LATER };
  assert.deepEqual(await update(own, {}), touched);
  assert.deepEqual(await update(own, { riskClass: 'gpai' }), { ...touched, riskClass: 'gpai' });
  const changes = { name: 'New', description: 'Text', riskClass: null, owner: null };
  assert.deepEqual(await update(own, changes), { ...touched, ...changes });
  assert.equal(await update(other, { name: 'Stolen' }), null);
  assert.deepEqual(await storage.findAiSystem(own, aiSystem.id), { ...touched, ...changes });
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id } = await insertAiSystem(storage, own);
  const kept = await insertAiSystem(storage, own);
  await appendEvidence(storage, own, { aiSystemId: kept.id });
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteAiSystem(organizationId, id));
  assert.equal(await remove(other), false);
  assert.deepEqual([await remove(own), await remove(own)], [true, false]);
  assert.equal(await storage.findAiSystem(own, id), null);
  assert.deepEqual(await storage.findAiSystem(own, kept.id), kept);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertAiSystem(newAiSystem(own));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  const { total } = await storage.listAiSystems(own, { limit: 1, offset: 0 });
  assert.equal(total, 0);
}
