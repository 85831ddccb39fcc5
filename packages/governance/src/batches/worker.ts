import type { CallContext, JobOutcome, NewJob, Runtime, Worker } from '@probity/core';
import { contextOf, createWorker, done, ERROR_CATALOG, ProbityError, retryAt } from '@probity/core';
import type { ApplyOutcome } from '@probity/core/internal';
import { exponentialDelays } from '@probity/core/internal';
import type { PreparedScan, PrepareScan } from '../scans/scan.ts';
import type { CountResults } from './counting.ts';
import { createCountResults } from './counting.ts';
import type { BatchStorage } from './storage.ts';
import type {
  BatchItem,
  BatchItemError,
  BatchItemRequest,
  BatchItemResult,
  WaitingItem,
} from './types.ts';
import { itemPurpose } from './types.ts';

/** The queue of items that wait for their scan. */
export const BATCH_QUEUE = 'governance.batch';

/**
 * Items that a process scans at once, and the share of one tenant: scanning takes processor time, which single scans need
 * as well, and the other half is there for other tenants' batches.
 */
const CONCURRENCY = 2;
const TENANT_SHARE = 0.5;

/** An item that ends its process at every attempt is given up after this many. */
const RETRY = { delaysMs: exponentialDelays(1_000, 60_000), maxAttempts: 10, jitter: 0.2 };

/** The job of an item. */
export function itemJob({ id, organizationId, batchId }: BatchItem, dueAt: Date): NewJob {
  return {
    id,
    queue: BATCH_QUEUE,
    tenantId: organizationId,
    group: batchId,
    payload: { batchId, itemId: id },
    dueAt,
  };
}

/** Dependencies of the worker. */
export interface BatchWorkerOptions {
  readonly storage: BatchStorage;
  readonly prepare: PrepareScan;
}

/**
 * Creates the worker that scans the items of batches. The transaction that ends the job of an item stores its scan with
 * alert and events, counts its result and deletes its texts; so a process that dies at any time leaves an item either
 * scanned or waiting. Each item is judged by the policies that are in force when it is scanned.
 */
export function createBatchWorker(runtime: Runtime, options: BatchWorkerOptions): Worker {
  const { database, clock, logger, ids } = runtime;
  const { storage } = options;
  const count = createCountResults(runtime, storage);
  return createWorker({
    database,
    queue: BATCH_QUEUE,
    clock,
    logger,
    ids,
    retry: RETRY,
    concurrency: CONCURRENCY,
    hardLimit: CONCURRENCY,
    groupConcurrency: CONCURRENCY,
    tenantShare: TENANT_SHARE,
    async handler({ payload: { itemId = '' } }, signal) {
      const waiting = await storage.findWaitingItem(itemId);
      // Its batch was canceled or deleted.
      return waiting ? scanItem(runtime, { ...options, count }, waiting, signal) : done();
    },
    async onGivenUp(tx, { payload: { batchId = '', itemId = '' } }) {
      const result = { status: 'failed', error: GIVEN_UP } as const;
      const isStored = await storage.transaction({ session: tx.session }, (own) =>
        own.finishItem(itemId, result),
      );
      if (isStored) await count(tx, [{ batchId, result }]);
    },
  });
}

const GIVEN_UP: BatchItemError = {
  code: ERROR_CATALOG.internal.general,
  message: 'The item could not be scanned, however often it was tried; the server has logged why.',
};

interface ScanItemOptions extends BatchWorkerOptions {
  readonly count: CountResults;
}

async function scanItem(
  { clock, secretBox }: Runtime,
  { storage, prepare, count }: ScanItemOptions,
  waiting: WaitingItem,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { item, sealed } = waiting;
  if (!secretBox) throw new Error('The texts of batches are sealed, and there is no secretBox.');
  const store = (result: BatchItemResult, prepared?: PreparedScan): JobOutcome => {
    const apply: ApplyOutcome = async (tx, batch) => {
      const scope = { session: tx.session };
      const isStored = await storage.transaction(scope, (own) => own.finishItem(item.id, result));
      if (!isStored) return;
      await prepared?.store(scope);
      batch.add(count, { batchId: item.batchId, result });
    };
    return done(apply, { byTenant: true });
  };
  try {
    const request = JSON.parse(secretBox.open(sealed, itemPurpose(item.id))) as BatchItemRequest;
    const prepared = await prepare(contextFor(waiting, signal), request);
    const { id: scanId, verdict } = prepared.outcome.scan;
    return store({ status: 'completed', scanId, verdict }, prepared);
  } catch (thrown) {
    if (signal.aborted) return retryAt(clock.now());
    const error = refusalOf(thrown);
    if (!error) throw thrown;
    return store({ status: 'failed', error });
  }
}

/** The caller that submitted the batch. */
function contextFor({ item, batch }: WaitingItem, signal: AbortSignal): CallContext {
  const { memberId, keyId, requestId } = batch;
  const { organizationId } = item;
  return { ...contextOf({ organizationId, memberId, keyId }), requestId, signal };
}

/** What is wrong with the item itself, as a single scan would be answered; null for any other failure. */
function refusalOf(thrown: unknown): BatchItemError | null {
  if (thrown instanceof TypeError) {
    return { code: ERROR_CATALOG.validation_failed.general, message: thrown.message };
  }
  if (!(thrown instanceof ProbityError) || thrown.status >= 500) return null;
  const { kind, message, details } = thrown;
  return { code: ERROR_CATALOG[kind].general, message, ...(details ? { details } : {}) };
}
