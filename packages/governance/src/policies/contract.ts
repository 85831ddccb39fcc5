import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { policyFixture, policyVersionFixture } from '../fixtures.ts';
import type { PolicyStorage, PolicyTransaction } from './storage.ts';

type Opened = OpenedStorage<PolicyStorage>;

/** Contract checks of a storage for policies, by test title. */
export const policyPromises: Readonly<Record<string, PromiseCheck<PolicyStorage>>> = {
  'a policy is read back unchanged, by its own organization only': readsBack,
  'policies of two organizations may have the same id': sharesIds,
  'policies are listed oldest first, ties by id': lists,
  'a replaced policy has the new members, and keeps when it was created': replaces,
  'a deleted policy is gone, for its own organization only, and its versions stay': deletes,
  'versions are listed newest first, in pages, with the total': listsVersions,
  'a version that is stored never changes': keepsVersions,
  'every change of policies changes the generation of its organization, and no other': counts,
  'a failed transaction changes neither policies nor the generation': rollsBack,
  'another connection sees a change with its generation': isSeen,
};

function change<T>(
  storage: PolicyStorage,
  work: (tx: PolicyTransaction) => Promise<T>,
): Promise<T> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const full = policyFixture({ id: 'pol_1', organizationId: own });
  const bare = policyFixture({
    ...{ id: 'pol_2', organizationId: own, description: null, enabled: false },
    ...{ mode: 'enforce', isDefault: true, keyIds: null, rules: [] },
  });
  await change(storage, async (tx) => {
    await tx.insertPolicy(full);
    await tx.insertPolicy(bare);
  });
  assert.deepEqual(await storage.findPolicy(own, 'pol_1'), full);
  assert.deepEqual(await storage.findPolicy(own, 'pol_2'), bare);
  assert.equal(await storage.findPolicy(other, 'pol_1'), null);
  assert.deepEqual(await storage.listPolicies(other), []);
}

async function sharesIds({ storage, createTenant }: Opened): Promise<void> {
  const ids = [await createTenant(), await createTenant()];
  for (const organizationId of ids) {
    const policy = policyFixture({ id: 'pol_builtin', organizationId, name: organizationId });
    await change(storage, (tx) => tx.insertPolicy(policy));
  }
  for (const organizationId of ids) {
    const policy = await storage.findPolicy(organizationId, 'pol_builtin');
    assert.equal(policy?.name, organizationId);
  }
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  await change(storage, async (tx) => {
    for (const [id, day] of [
      ['pol_c', 2],
      ['pol_b', 2],
      ['pol_a', 3],
      ['pol_d', 1],
    ] as const) {
      await tx.insertPolicy(policyFixture({ id, organizationId, createdAt: at(day) }));
    }
  });
  const listed = await storage.listPolicies(organizationId);
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['pol_d', 'pol_b', 'pol_c', 'pol_a'],
  );
}

async function replaces({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const before = policyFixture({ id: 'pol_1', organizationId });
  await change(storage, (tx) => tx.insertPolicy(before));
  const after = policyFixture({
    ...{ id: 'pol_1', organizationId, version: 8, name: 'Other', description: null },
    ...{ enabled: false, mode: 'enforce', isDefault: true, keyIds: null, rules: [] },
    updatedAt: new Date('2026-02-03T04:05:06.789Z'),
  });
  await change(storage, (tx) => tx.replacePolicy(after));
  assert.deepEqual(await storage.findPolicy(organizationId, 'pol_1'), after);
  assert.equal((await storage.listPolicies(organizationId)).length, 1);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await change(storage, async (tx) => {
    await tx.insertPolicy(policyFixture({ id: 'pol_1', organizationId: own }));
    await tx.ensurePolicyVersion(policyVersionFixture({ policyId: 'pol_1', organizationId: own }));
  });
  const remove = (organizationId: string) =>
    change(storage, (tx) => tx.deletePolicy(organizationId, 'pol_1'));
  assert.equal(await remove(other), false);
  assert.deepEqual([await remove(own), await remove(own)], [true, false]);
  assert.equal(await storage.findPolicy(own, 'pol_1'), null);
  const { total } = await storage.listPolicyVersions(own, 'pol_1', { limit: 9, offset: 0 });
  assert.equal(total, 1);
}

async function listsVersions({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const version = (number: number, organizationId = own) =>
    policyVersionFixture({ policyId: 'pol_1', organizationId, version: number });
  await change(storage, async (tx) => {
    for (const number of [2, 1, 10, 3]) await tx.ensurePolicyVersion(version(number));
    await tx.ensurePolicyVersion(version(4, other));
    await tx.ensurePolicyVersion(policyVersionFixture({ policyId: 'pol_2', organizationId: own }));
  });
  const page = (offset: number) => storage.listPolicyVersions(own, 'pol_1', { limit: 3, offset });
  const [first, second] = [await page(0), await page(3)];
  assert.deepEqual(
    [...first.items, ...second.items],
    [10, 3, 2, 1].map((each) => version(each)),
  );
  assert.deepEqual([first.total, second.total], [4, 4]);
}

async function keepsVersions({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const first = policyVersionFixture({ policyId: 'pol_1', organizationId });
  await change(storage, (tx) => tx.ensurePolicyVersion(first));
  await change(storage, (tx) => tx.ensurePolicyVersion({ ...first, name: 'Changed' }));
  const page = { limit: 9, offset: 0 };
  const { items } = await storage.listPolicyVersions(organizationId, 'pol_1', page);
  assert.deepEqual(items, [first]);
}

async function counts({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const policy = policyFixture({ id: 'pol_1', organizationId: own });
  const seen = [await storage.policyGeneration(own)];
  for (const work of [
    (tx: PolicyTransaction) => tx.insertPolicy(policy),
    (tx: PolicyTransaction) => tx.replacePolicy({ ...policy, version: 2 }),
    (tx: PolicyTransaction) => tx.deletePolicy(own, 'pol_1'),
  ]) {
    await change(storage, async (tx) => void (await work(tx)));
    seen.push(await storage.policyGeneration(own));
  }
  assert.equal(new Set(seen).size, 4, `${seen}`);
  await change(storage, (tx) => tx.deletePolicy(own, 'pol_1'));
  await change(storage, (tx) =>
    tx.ensurePolicyVersion(policyVersionFixture({ policyId: 'pol_1', organizationId: own })),
  );
  assert.equal(await storage.policyGeneration(own), seen.at(-1));
  assert.equal(await storage.policyGeneration(other), 0);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const failing = change(storage, async (tx) => {
    await tx.insertPolicy(policyFixture({ id: 'pol_1', organizationId }));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.findPolicy(organizationId, 'pol_1'), null);
  assert.equal(await storage.policyGeneration(organizationId), 0);
}

async function isSeen({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const other = openAnother() ?? storage;
  const before = await other.policyGeneration(organizationId);
  const policy = policyFixture({ id: 'pol_1', organizationId });
  await change(storage, (tx) => tx.insertPolicy(policy));
  assert.notEqual(await other.policyGeneration(organizationId), before);
  assert.deepEqual(await other.listPolicies(organizationId), [policy]);
}
