import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { batchFixture, batchItemFixture } from '../fixtures.ts';
import type { BatchStorage, BatchTransaction, NewBatchItem } from './storage.ts';
import type { BatchFilter, BatchItemFilter, ScanBatch } from './types.ts';

type Opened = OpenedStorage<BatchStorage>;

/** Contract checks of a storage for batches, by test title. */
export const batchPromises: Readonly<Record<string, PromiseCheck<BatchStorage>>> = {
  'a batch is read back unchanged, by its own organization only': readsBack,
  'batches are listed newest first, in pages, by every filter': lists,
  'items are listed by index, in pages, by every filter, without texts': listsItems,
  'an item waits with its texts until its result is stored, once': finishes,
  'the counts that complete a batch return it, and no others do': completes,
  'of several that count at once exactly one completes the batch': completesOnce,
  'a canceled batch keeps its results, and deletes the texts of all other items': cancels,
  'a batch that has ended is not canceled': staysEnded,
  'sealed texts are listed and replaced for key rotation': reseals,
  'ended batches are deleted in parts, items first': expires,
  'the running batches of an organization are counted': countsRunning,
};

const CREATED_AT = batchFixture({ id: 'scn_x', organizationId: 'org_x' }).createdAt;
const LATER = new Date(CREATED_AT.getTime() + 60_000);
const ALL = { limit: 50, offset: 0 };
const RESULT = { status: 'completed', scanId: 'scn_9', verdict: 'flagged' } as const;
const FAILURE = {
  status: 'failed',
  error: {
    code: 'VALIDATION_ERROR',
    message: 'policyIds.0: is not known',
    details: [{ field: 'policyIds.0', message: 'is not known' }],
  },
} as const;
const NONE = { allowed: 0, flagged: 0, blocked: 0, errors: 0 };

function inside<T>(storage: BatchStorage, work: (tx: BatchTransaction) => Promise<T>): Promise<T> {
  return storage.transaction(OUTSIDE_REQUEST, work);
}

function itemsOf({ id: batchId, organizationId, total }: ScanBatch): NewBatchItem[] {
  return Array.from({ length: total }, (_, index) => ({
    item: batchItemFixture({ id: `${batchId}.${index}`, organizationId, batchId, index }),
    sealed: `v1.00000000.text of ${batchId} ${index}`,
  }));
}

async function insert(storage: BatchStorage, batch: ScanBatch): Promise<ScanBatch> {
  await inside(storage, async (tx) => {
    await tx.insertBatch(batch);
    await tx.insertBatchItems(itemsOf(batch));
  });
  return batch;
}

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const running = batchFixture({ id: 'scn_1', organizationId: own });
  const ended = batchFixture({
    ...{ id: 'scn_2', organizationId: own, status: 'completed', total: 6, endedAt: LATER },
    ...{ allowed: 1, flagged: 2, blocked: 1, errors: 1, canceled: 1 },
  });
  for (const batch of [running, ended]) {
    await insert(storage, batch);
    assert.deepEqual(await storage.findBatch(own, batch.id), batch);
  }
  assert.equal(await storage.findBatch(other, 'scn_1'), null);
  const none = { items: [], total: 0 };
  assert.deepEqual(await storage.listBatches(other, {}, ALL), none);
  assert.deepEqual(await storage.listBatchItems(other, 'scn_1', {}, ALL), none);
}

async function lists({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const batch = (number: number, at: number, keyId = 'key_test') =>
    insert(
      storage,
      batchFixture({ id: `scn_${number}`, organizationId: own, createdAt: day(at), keyId }),
    );
  await batch(1, 1);
  await batch(3, 2, 'key_other');
  await batch(2, 2);
  await batch(4, 3);
  const expected: ReadonlyArray<[BatchFilter, readonly number[]]> = [
    [{}, [4, 3, 2, 1]],
    [{ keyId: 'key_other' }, [3]],
    [{ since: day(2) }, [4, 3, 2]],
    [{ since: day(2), until: day(3), keyId: 'key_test' }, [2]],
  ];
  for (const [filter, numbers] of expected) {
    const first = await storage.listBatches(own, filter, { limit: 2, offset: 0 });
    const rest = await storage.listBatches(own, filter, { limit: 50, offset: 2 });
    const ids = [...first.items, ...rest.items].map(({ id }) => id);
    assert.deepEqual(
      ids,
      numbers.map((number) => `scn_${number}`),
      JSON.stringify(filter),
    );
    assert.equal(first.total, numbers.length);
  }
}

async function listsItems({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const { id } = await insert(storage, batchFixture({ id: 'scn_1', organizationId, total: 4 }));
  await insert(storage, batchFixture({ id: 'scn_2', organizationId }));
  await inside(storage, async (tx) => {
    await tx.finishItem(`${id}.1`, RESULT);
    await tx.finishItem(`${id}.3`, FAILURE);
  });
  const list = async (filter: BatchItemFilter, page = ALL) => {
    const { items, total } = await storage.listBatchItems(organizationId, id, filter, page);
    return [items.map(({ index }) => index), total];
  };
  assert.deepEqual(await list({}), [[0, 1, 2, 3], 4]);
  assert.deepEqual(await list({}, { limit: 2, offset: 1 }), [[1, 2], 4]);
  assert.deepEqual(await list({ status: 'pending' }), [[0, 2], 2]);
  assert.deepEqual(await list({ verdict: 'flagged' }), [[1], 1]);
  assert.deepEqual(await list({ verdict: 'blocked' }), [[], 0]);
  const { items } = await storage.listBatchItems(organizationId, id, {}, ALL);
  const item = (index: number) =>
    batchItemFixture({ id: `${id}.${index}`, organizationId, batchId: id, index });
  assert.deepEqual(items, [
    item(0),
    { ...item(1), ...RESULT },
    item(2),
    { ...item(3), ...FAILURE },
  ]);
}

async function finishes({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const batch = await insert(storage, batchFixture({ id: 'scn_1', organizationId }));
  const [first] = itemsOf(batch);
  const { memberId, keyId, requestId } = batch;
  assert.deepEqual(await storage.findWaitingItem('scn_1.0'), {
    ...first,
    batch: { memberId, keyId, requestId },
  });
  const finish = () => inside(storage, (tx) => tx.finishItem('scn_1.0', RESULT));
  const won = await Promise.all([finish(), finish(), finish()]);
  assert.equal(won.filter(Boolean).length, 1);
  assert.equal(await storage.findWaitingItem('scn_1.0'), null);
  assert.equal(await inside(storage, (tx) => tx.finishItem('scn_1.unknown', RESULT)), false);
  const sealed = await storage.listSealedItems('ffffffff', '', 50);
  assert.deepEqual(
    sealed.map(({ id }) => id),
    ['scn_1.1', 'scn_1.2'],
  );
}

async function completes({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const batch = await insert(storage, batchFixture({ id: 'scn_1', organizationId, total: 4 }));
  const add = (counts: Partial<typeof NONE>) =>
    inside(storage, (tx) => tx.addCounts({ batchId: 'scn_1', ...NONE, ...counts }, LATER));
  assert.equal(await add({ allowed: 1, errors: 1 }), null);
  const half = { ...batch, allowed: 1, errors: 1 };
  assert.deepEqual(await storage.findBatch(organizationId, 'scn_1'), half);
  const completed: ScanBatch = {
    ...{ ...half, flagged: 1, blocked: 1 },
    ...{ status: 'completed', endedAt: LATER },
  };
  assert.deepEqual(await add({ flagged: 1, blocked: 1 }), completed);
  assert.deepEqual(await storage.findBatch(organizationId, 'scn_1'), completed);
  assert.equal(await add({ allowed: 1 }), null);
  assert.deepEqual(await storage.findBatch(organizationId, 'scn_1'), completed);
}

async function completesOnce({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const organizationId = await createTenant();
  await insert(storage, batchFixture({ id: 'scn_1', organizationId, total: 20 }));
  const stores = [storage, openAnother() ?? storage];
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      inside(stores[index % 2] ?? storage, (tx) =>
        tx.addCounts({ batchId: 'scn_1', ...NONE, allowed: 1 }, LATER),
      ),
    ),
  );
  const completed = added.filter((batch) => batch !== null);
  assert.deepEqual(
    completed.map(({ allowed, status }) => [allowed, status]),
    [[20, 'completed']],
  );
}

async function cancels({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const batch = await insert(storage, batchFixture({ id: 'scn_1', organizationId: own }));
  await inside(storage, async (tx) => {
    await tx.finishItem('scn_1.1', RESULT);
    await tx.addCounts({ batchId: 'scn_1', ...NONE, flagged: 1 }, LATER);
  });
  const cancel = (organizationId: string) =>
    inside(storage, (tx) => tx.cancelBatch(organizationId, 'scn_1', LATER));
  assert.equal(await cancel(other), null);
  const canceled: ScanBatch = {
    ...{ ...batch, flagged: 1 },
    ...{ status: 'canceled', canceled: 2, endedAt: LATER },
  };
  assert.deepEqual(await cancel(own), canceled);
  assert.deepEqual(await storage.findBatch(own, 'scn_1'), canceled);
  const { items } = await storage.listBatchItems(own, 'scn_1', {}, ALL);
  assert.deepEqual(
    items.map(({ status }) => status),
    ['canceled', 'completed', 'canceled'],
  );
  assert.deepEqual(await storage.listSealedItems('ffffffff', '', 50), []);
  assert.equal(await inside(storage, (tx) => tx.finishItem('scn_1.0', RESULT)), false);
}

async function staysEnded({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const ended = { status: 'completed', endedAt: LATER, allowed: 3 } as const;
  const batch = await insert(storage, batchFixture({ id: 'scn_1', organizationId, ...ended }));
  assert.equal(await inside(storage, (tx) => tx.cancelBatch(organizationId, 'scn_1', LATER)), null);
  assert.deepEqual(await storage.findBatch(organizationId, 'scn_1'), batch);
}

async function reseals({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const batch = await insert(storage, batchFixture({ id: 'scn_1', organizationId }));
  const values = itemsOf(batch).map(({ item, sealed }) => ({ id: item.id, sealed }));
  assert.deepEqual(await storage.listSealedItems('ffffffff', '', 50), values);
  assert.deepEqual(await storage.listSealedItems('ffffffff', 'scn_1.0', 1), values.slice(1, 2));
  assert.deepEqual(await storage.listSealedItems('00000000', '', 50), []);
  const from = values[0]?.sealed ?? '';
  await inside(storage, async (tx) => {
    await tx.replaceSealedItem({ id: 'scn_1.0', from, to: 'v1.11111111.new' });
    await tx.replaceSealedItem({ id: 'scn_1.1', from, to: 'v1.11111111.other' });
  });
  assert.equal((await storage.findWaitingItem('scn_1.0'))?.sealed, 'v1.11111111.new');
  assert.equal((await storage.findWaitingItem('scn_1.1'))?.sealed, values[1]?.sealed);
}

async function expires({ storage, createTenant }: Opened): Promise<void> {
  const organizationId = await createTenant();
  const ended = { organizationId, status: 'completed', endedAt: CREATED_AT } as const;
  await insert(storage, batchFixture({ id: 'scn_1', ...ended }));
  await insert(storage, batchFixture({ id: 'scn_2', ...ended, status: 'canceled' }));
  await insert(storage, batchFixture({ id: 'scn_3', ...ended, endedAt: LATER }));
  await insert(storage, batchFixture({ id: 'scn_4', organizationId }));
  const removeItems = () => inside(storage, (tx) => tx.deleteItemsOfEnded(LATER, 4));
  assert.deepEqual([await removeItems(), await removeItems(), await removeItems()], [4, 2, 0]);
  const remove = () => inside(storage, (tx) => tx.deleteEndedBatches(LATER, 1));
  assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
  const { items } = await storage.listBatches(organizationId, {}, ALL);
  assert.deepEqual(
    items.map(({ id }) => id),
    ['scn_4', 'scn_3'],
  );
  assert.equal((await storage.listBatchItems(organizationId, 'scn_3', {}, ALL)).total, 3);
}

async function countsRunning({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  await insert(storage, batchFixture({ id: 'scn_1', organizationId: own }));
  await insert(storage, batchFixture({ id: 'scn_2', organizationId: own }));
  await insert(storage, batchFixture({ id: 'scn_3', organizationId: other }));
  assert.equal(await storage.countRunningBatches(own), 2);
  await inside(storage, (tx) => tx.cancelBatch(own, 'scn_1', LATER));
  assert.equal(await storage.countRunningBatches(own), 1);
}
