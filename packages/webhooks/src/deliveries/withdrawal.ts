import { setTimeout as delay } from 'node:timers/promises';
import type { Ids, LeasedJob, NewJob, Runtime, Worker } from '@probity/core';
import { createWorker, done, OUTSIDE_REQUEST, retryAt, toProbityError } from '@probity/core';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import { deliveryGroup } from './queue.ts';

/** The queue of webhooks whose deliveries are to be held or deleted. */
export const WITHDRAWAL_QUEUE = 'webhooks.withdraw';

/** Deliveries of one transaction, so that it holds its locks, and SQLite's only writer, for a moment. */
const BATCH_SIZE = 500;
/** Each holds a connection for much of the time; that of a tenant's many webhooks is not urgent. */
const CONCURRENCY = 4;

/**
 * The job that ends the deliveries of a webhook which was turned off or deleted, stored in the same
 * transaction. Until it has run, they are read as held, or as deleted.
 */
export function withdrawalJob(
  ids: Ids,
  organizationId: string,
  webhookId: string,
  dueAt: Date,
): NewJob {
  return {
    id: ids.next('job'),
    queue: WITHDRAWAL_QUEUE,
    tenantId: organizationId,
    group: webhookId,
    payload: { webhookId },
    dueAt,
  };
}

/** Dependencies of the worker. */
export interface WithdrawalOptions {
  readonly storage: WebhookStorage;
}

/**
 * Creates the worker that holds the deliveries of webhooks that were turned off, and deletes those
 * of deleted ones, with their jobs: 500 in each transaction, with a pause as long as the transaction
 * took, so that on SQLite others get half of the writer's time.
 */
export function createWithdrawalWorker(runtime: Runtime, { storage }: WithdrawalOptions): Worker {
  const { database, clock, logger, ids } = runtime;
  return createWorker({
    database,
    queue: WITHDRAWAL_QUEUE,
    clock,
    logger,
    ids,
    concurrency: CONCURRENCY,
    hardLimit: CONCURRENCY,
    groupConcurrency: 1,
    async handler(job, signal) {
      while (!signal.aborted) {
        const startedMs = clock.monotonicMs();
        if (!(await withdrawBatch(storage, job))) return done();
        await delay(clock.monotonicMs() - startedMs);
      }
      return retryAt(clock.now());
    },
  });
}

/** Returns false when nothing was left. */
async function withdrawBatch(
  storage: WebhookStorage,
  { tenantId, payload: { webhookId = '' } }: LeasedJob,
): Promise<boolean> {
  const withdraw = async (tx: WebhookTransaction) => {
    const { isDeleted, deliveryIds } = await tx.findWithdrawn(webhookId, BATCH_SIZE);
    // Jobs first, the lock order of a worker that stores a result; else the two could deadlock.
    await tx.dropJobs(deliveryIds);
    if (isDeleted) await tx.deleteDeliveries(deliveryIds);
    else await tx.holdDeliveries(deliveryIds);
    if (deliveryIds.length > 0) return true;
    if (!isDeleted) return false;
    await tx.purgeWebhook(webhookId);
    const group = deliveryGroup({ organizationId: tenantId ?? '', id: webhookId });
    await tx.setJobGroup(group, { startsPerSecond: null, isOrdered: false });
    return false;
  };
  try {
    // Under the lock, so that no delivery found here is restarted before it is held.
    return await storage.withTenantLock(OUTSIDE_REQUEST, tenantId ?? '', withdraw);
  } catch (error) {
    // The organization was removed, and with it the deliveries.
    if (toProbityError(error).kind === 'not_found') return false;
    throw error;
  }
}
