import { setImmediate } from 'node:timers/promises';
import type { CallContext, Page, PageOf, Runtime, SealedValues, SecretBox } from '@probity/core';
import { ERROR_CATALOG, notFound, ProbityError, validationError } from '@probity/core';
import { createSealedValues, requireContext, requireKnownOptions } from '@probity/core/internal';
import { missingKey } from '../missing-key.ts';
import type { Scans } from '../scans/scans.ts';
import type { Scan } from '../scans/types.ts';
import type { BatchStorage, NewBatchItem } from './storage.ts';
import type {
  BatchFilter,
  BatchItem,
  BatchItemError,
  BatchItemFilter,
  BatchItemRequest,
  BatchRequest,
  ScanBatch,
} from './types.ts';
import { itemPurpose, MAX_BATCH_ITEMS } from './types.ts';
import { itemJob } from './worker.ts';

/** The most batches of an organization that run at a time: their texts wait in the database. */
export const MAX_RUNNING_BATCHES = 100;

/** An item with the record of its scan. */
export interface ScannedItem extends BatchItem {
  /** Null unless the item was scanned, and once retention has deleted the record. */
  readonly scan: Scan | null;
}

/** Batches of scans, which run in the background. */
export interface Batches {
  /**
   * Stores a batch and the jobs that scan its items. Their texts are sealed until then.
   * @throws TypeError for a list of another form
   * @throws ProbityError `validation_failed` without an encryption key, and for a list that is empty or too long;
   *   `conflict` when {@link MAX_RUNNING_BATCHES} are running
   */
  submit(context: CallContext, request: BatchRequest): Promise<ScanBatch>;
  /** Batches, newest first. */
  list(context: CallContext, filter: BatchFilter, page: Page): Promise<PageOf<ScanBatch>>;
  /** @throws ProbityError `not_found` */
  get(context: CallContext, id: string): Promise<ScanBatch>;
  /**
   * Items with their results, by index.
   * @throws ProbityError `not_found`
   */
  items(
    context: CallContext,
    id: string,
    filter: BatchItemFilter,
    page: Page,
  ): Promise<PageOf<BatchItem>>;
  /**
   * The same with the records of their scans.
   * @throws ProbityError `not_found`
   */
  scannedItems(
    context: CallContext,
    id: string,
    filter: BatchItemFilter,
    page: Page,
  ): Promise<PageOf<ScannedItem>>;
  /**
   * Ends a batch: what has no result yet is not scanned, and its texts are deleted. `scan.completed` is not emitted.
   * @throws ProbityError `not_found`; `conflict` when it has ended already
   */
  cancel(context: CallContext, id: string): Promise<ScanBatch>;
}

/** Dependencies of the service. */
export interface BatchOptions {
  readonly storage: BatchStorage;
  readonly scans: Pick<Scans, 'get'>;
}

/** Creates the service of batches. */
export function createBatches(runtime: Runtime, { storage, scans }: BatchOptions): Batches {
  const { audit, clock } = runtime;
  const get = async ({ principal }: CallContext, id: string, reads: BatchFinder = storage) => {
    const batch = await reads.findBatch(principal.organizationId, id);
    if (!batch) throw notFound('scan');
    return batch;
  };
  const items: Batches['items'] = async (context, id, filter, page) => {
    await get(context, id);
    return storage.listBatchItems(context.principal.organizationId, id, filter, page);
  };
  return {
    submit: (context, request) => submit(runtime, storage, context, request),
    list: ({ principal }, filter, page) =>
      storage.listBatches(principal.organizationId, filter, page),
    get: (context, id) => get(context, id),
    items,
    async scannedItems(context, id, filter, page) {
      const { items: found, total } = await items(context, id, filter, page);
      const withScan = async (item: BatchItem) => {
        const scan = item.scanId === null ? null : await findScan(scans, context, item.scanId);
        return { ...item, scan };
      };
      return { items: await Promise.all(found.map(withScan)), total };
    },
    cancel: (context, id) =>
      storage.transaction(context, async (tx) => {
        const { organizationId } = context.principal;
        const canceled = await tx.cancelBatch(organizationId, id, clock.now());
        if (!canceled) {
          await get(context, id, tx);
          throw new ProbityError('conflict', 'The batch has ended already.');
        }
        const after = { canceled: canceled.canceled };
        await audit.record(tx, context, 'scan_batch.canceled', targetOf(id), { after });
        return canceled;
      }),
  };
}

type BatchFinder = Pick<BatchStorage, 'findBatch'>;

async function findScan(
  scans: Pick<Scans, 'get'>,
  context: CallContext,
  id: string,
): Promise<Scan | null> {
  try {
    return await scans.get(context, id);
  } catch (error) {
    if (error instanceof ProbityError && error.kind === 'not_found') return null;
    throw error;
  }
}

async function submit(
  { audit, clock, ids, secretBox, tenants }: Runtime,
  storage: BatchStorage,
  context: CallContext,
  request: BatchRequest,
): Promise<ScanBatch> {
  requireContext('batches.submit', context);
  requireRequest(request);
  if (!secretBox) throw missingKey('items');
  const { organizationId, memberId, keyId } = context.principal;
  const { allowance = request.items.length } = request;
  const now = clock.now();
  const batch: ScanBatch = {
    ...{ id: ids.next('scn'), organizationId, memberId, keyId, requestId: context.requestId },
    status: 'running',
    ...{ total: request.items.length, allowed: 0, flagged: 0, blocked: 0 },
    errors: Math.max(0, request.items.length - allowance),
    ...{ canceled: 0, createdAt: now, endedAt: null },
  };
  const parts = await sealItems(batch, request.items, allowance, secretBox);
  await tenants?.ensure(organizationId, context);
  await storage.withTenantLock(context, organizationId, async (tx) => {
    if ((await tx.countRunningBatches(organizationId)) >= MAX_RUNNING_BATCHES) throw tooMany();
    await tx.insertBatch(batch);
    for (const part of parts) {
      await tx.insertBatchItems(part);
      const pending = part.filter(({ sealed }) => sealed !== null);
      await tx.enqueueJobs(pending.map(({ item }) => itemJob(item, now)));
    }
    const after = { items: batch.total };
    await audit.record(tx, context, 'scan_batch.created', targetOf(batch.id), { after });
  });
  return batch;
}

const ITEM_MEMBERS = [
  ...['prompt', 'response', 'messages', 'context'],
  ...['policyIds', 'metadata', 'aiSystemId'],
];

function requireRequest(request: BatchRequest): void {
  requireKnownOptions('batches.submit', request, ['items', 'allowance']);
  const { items, allowance = 1 } = request;
  if (!Array.isArray(items)) throw new TypeError('batches.submit: items must be a list.');
  const message = `must be a list of 1 to ${MAX_BATCH_ITEMS.toLocaleString('en')} items`;
  if (items.length === 0 || items.length > MAX_BATCH_ITEMS) {
    throw validationError({ field: 'items', message });
  }
  for (const item of items) requireKnownOptions('batches.submit: an item', item, ITEM_MEMBERS);
  if (!Number.isSafeInteger(allowance) || allowance < 1) {
    throw new TypeError('batches.submit: allowance must be a positive integer.');
  }
}

/** UTF-16 code units sealed without yielding, some milliseconds of work. */
const SEALED_AT_ONCE = 1 << 18;
/** Code units of one part, which is inserted by few statements. */
const PART_SIZE = 1 << 20;

/** The items in parts that are inserted one after another. Those beyond the allowance have failed. */
async function sealItems(
  { id: batchId, organizationId }: ScanBatch,
  requests: readonly BatchItemRequest[],
  allowance: number,
  secretBox: SecretBox,
): Promise<readonly NewBatchItem[][]> {
  const parts: NewBatchItem[][] = [];
  let size = PART_SIZE;
  let unyielded = 0;
  for (const [index, request] of requests.entries()) {
    const id = `${batchId}.${String(index).padStart(4, '0')}`;
    const isAllowed = index < allowance;
    const text = isAllowed ? JSON.stringify(request) : '';
    const item: BatchItem = {
      ...{ id, organizationId, batchId, index, scanId: null, verdict: null },
      status: isAllowed ? 'pending' : 'failed',
      error: isAllowed ? null : QUOTA_SPENT,
    };
    if (size >= PART_SIZE) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push({ item, sealed: isAllowed ? secretBox.seal(text, itemPurpose(id)) : null });
    size += text.length;
    unyielded += text.length;
    if (unyielded < SEALED_AT_ONCE) continue;
    unyielded = 0;
    await setImmediate();
  }
  return parts;
}

const QUOTA_SPENT: BatchItemError = {
  code: ERROR_CATALOG.rate_limited.general,
  message: "The plan's monthly quota of gateway_scans was spent before this item.",
};

function targetOf(id: string) {
  return { type: 'scan_batch', id };
}

function tooMany(): ProbityError {
  const message = `The organization has ${MAX_RUNNING_BATCHES} batches that are running; wait for one to end.`;
  return new ProbityError('conflict', message);
}

/** The texts of items that wait, for rotation of the encryption key. */
export function sealedBatchItems(storage: BatchStorage): SealedValues {
  return createSealedValues(storage, {
    name: 'scan_batch_items',
    purposeOf: itemPurpose,
    list: storage.listSealedItems,
    replaceOne: (tx, value) => tx.replaceSealedItem(value),
  });
}
