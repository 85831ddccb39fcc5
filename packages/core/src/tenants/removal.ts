import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import { done, retryAt } from '../jobs/outcome.ts';
import type { Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';

/** The queue of removed tenants whose rows are to be deleted. */
export const TENANT_REMOVAL_QUEUE = 'tenants.remove';

/** Rows of one transaction, so that it holds its locks, and SQLite's only writer, for a moment. */
const BATCH_SIZE = 500;
/** Each holds a connection for much of the time, and no removal is urgent. */
const CONCURRENCY = 2;

const jobIds = createIds();

/**
 * Removes a tenant: from the commit on it does not exist, and none of its events is delivered. Its rows
 * are deleted in the background by {@link createTenantRemovalWorker}; until then its id cannot be stored
 * again.
 *
 * @returns false when there is no such tenant
 */
export async function removeTenant(tx: KernelOperations, id: string, at: Date): Promise<boolean> {
  if (!(await tx.markTenantRemoved(id, at))) return false;
  await tx.enqueueJobs([
    {
      id: jobIds.next('job'),
      queue: TENANT_REMOVAL_QUEUE,
      // Not the tenant's: it would be deleted with the tenant's jobs.
      tenantId: null,
      group: id,
      payload: { tenantId: id },
      dueAt: at,
    },
  ]);
  return true;
}

/** Dependencies of the worker. */
export interface TenantRemovalOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Pick<Ids, 'next'>;
}

/**
 * Creates the worker that deletes what removed tenants have in the tables of all packages: 500 rows in
 * each transaction, with a pause as long as the transaction took, and then the tenant itself. A run that
 * is interrupted is continued by the next worker that takes the job.
 */
export function createTenantRemovalWorker(options: TenantRemovalOptions): Worker {
  const { clock } = options;
  return createWorker({
    ...options,
    queue: TENANT_REMOVAL_QUEUE,
    concurrency: CONCURRENCY,
    hardLimit: CONCURRENCY,
    groupConcurrency: 1,
    async handler(job, signal) {
      const isFinished = await deleteTenantData(options, job.payload.tenantId ?? '', signal);
      return isFinished ? done() : retryAt(clock.now());
    },
  });
}

type Batch = (tx: KernelOperations) => Promise<number>;

/** Returns false when `signal` aborted before everything was deleted. */
async function deleteTenantData(
  { database, clock }: TenantRemovalOptions,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const ofJobs: Batch = (tx) => tx.deleteTenantJobs(id, BATCH_SIZE);
  const tables = await database.kernel(database.reader).listTenantTables();
  const ofTables = tables.map(
    (table): Batch =>
      (tx) =>
        tx.deleteTenantRows(table, id, BATCH_SIZE),
  );
  // Jobs first, the lock order of a worker that stores a result; else the two could deadlock.
  for (const batch of [ofJobs, ...ofTables]) {
    for (;;) {
      if (signal.aborted) return false;
      const startedMs = clock.monotonicMs();
      if ((await inRemoval(database, id, batch)) === 0) break;
      await delay(clock.monotonicMs() - startedMs);
    }
  }
  await inRemoval(database, id, async (tx) => {
    // Those that transactions stored which were open when the tenant was removed.
    await tx.deleteTenantJobs(id, BATCH_SIZE);
    await tx.deleteTenant(id);
    return 0;
  });
  return true;
}

/**
 * Runs a batch unless the removal is finished: the job may run twice after a lost lease, and the tenant may
 * have been stored again since.
 */
function inRemoval(database: Database, id: string, batch: Batch): Promise<number> {
  return database.transaction(async (session) => {
    const tx = database.kernel(session);
    return (await tx.lockRemovedTenant(id)) ? batch(tx) : 0;
  });
}
