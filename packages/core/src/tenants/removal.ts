import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import { done, retryAt } from '../jobs/outcome.ts';
import type { Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Logger } from '../logging/logger.ts';
import { FIRST_ROWS, nextSliceSize } from '../sql/slice-size.ts';
import type { Database, KernelOperations } from '../storage/database.ts';

/** The queue of removed tenants whose rows are to be deleted. */
export const TENANT_REMOVAL_QUEUE = 'tenants.remove';

/**
 * Of one transaction, since requests wait for it on SQLite: shorter than in a migration, which is urgent. A checkpoint
 * of the log takes as long again.
 */
const AIM_MS = 20;
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
 * Creates the worker that deletes what removed tenants have in the tables of all packages: as many
 * rows in each transaction as take about 20 ms, with a pause as long as the transaction took, and then the
 * tenant itself. A run that is interrupted is continued by the next worker that takes the job.
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

type Batch = (tx: KernelOperations, limit: number) => Promise<number>;

/** Returns false when `signal` aborted before everything was deleted. */
async function deleteTenantData(
  { database, clock }: TenantRemovalOptions,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const ofJobs: Batch = (tx, limit) => tx.deleteTenantJobs(id, limit);
  const tables = await database.kernel(database.reader).listTenantTables();
  const ofTables = tables.map(
    (table): Batch =>
      (tx, limit) =>
        tx.deleteTenantRows(table, id, limit),
  );
  // Jobs first, the lock order of a worker that stores a result; else the two could deadlock.
  for (const batch of [ofJobs, ...ofTables]) {
    // Rows of another table may take longer.
    for (let limit = FIRST_ROWS; ; ) {
      if (signal.aborted) return false;
      // Counted from its begin: waiting for the writer does not depend on the rows.
      let startedMs = 0;
      const count = await inRemoval(database, id, (tx) => {
        startedMs = clock.monotonicMs();
        return batch(tx, limit);
      });
      if (count === 0) break;
      const elapsedMs = clock.monotonicMs() - startedMs;
      limit = nextSliceSize(limit, elapsedMs, AIM_MS);
      await delay(elapsedMs);
    }
  }
  await inRemoval(database, id, async (tx) => {
    // Those that transactions stored which were open when the tenant was removed.
    await tx.deleteTenantJobs(id, FIRST_ROWS);
    await tx.deleteTenant(id);
    return 0;
  });
  return true;
}

/** A batch that a power failure undoes is run again; a sync to disk for each would delay the requests of others. */
const DEFERRED = { durability: 'deferred' } as const;

/**
 * Runs a batch unless the removal is finished: the job may run twice after a lost lease, and the tenant may
 * have been stored again since.
 */
function inRemoval(
  database: Database,
  id: string,
  batch: (tx: KernelOperations) => Promise<number>,
): Promise<number> {
  return database.transaction(async (session) => {
    const tx = database.kernel(session);
    return (await tx.lockRemovedTenant(id)) ? batch(tx) : 0;
  }, DEFERRED);
}
