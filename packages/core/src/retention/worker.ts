import type { Clock } from '../clock.ts';
import { DAY_MS } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { done, retryAt } from '../jobs/outcome.ts';
import type { NewJob } from '../jobs/storage.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Service } from '../lifecycle/lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { Retention } from './retention.ts';

/** The queue of the recurring job that applies retention. */
export const RETENTION_QUEUE = 'retention';

/** Dependencies and settings of the worker. */
export interface RetentionWorkerOptions {
  readonly database: Database;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Pick<Ids, 'next'>;
  /**
   * Milliseconds from the start of a run, or from the time when a run was given up, to the start of
   * the next; default one day.
   */
  readonly intervalMs?: number;
}

/**
 * Applies retention once a day. All workers on a database share one job: the worker that leases it
 * runs it, and if that one dies, another takes over when its lease has expired. A run interrupted
 * by a stop is due again at once and continues where it stopped. A run that is given up, as every
 * attempt failed or its worker died, is kept as a failed job; the run of the next day takes place.
 */
export function createRetentionWorker(options: RetentionWorkerOptions): Service {
  const { database, retention, clock, logger, intervalMs = DAY_MS } = options;
  const jobAt = (dueAt: Date): NewJob => ({
    id: 'job_retention',
    queue: RETENTION_QUEUE,
    tenantId: null,
    group: RETENTION_QUEUE,
    payload: {},
    dueAt,
  });
  const planNext = (tx: KernelOperations, from: Date) =>
    tx.enqueueJobs([jobAt(new Date(from.getTime() + intervalMs))]);
  const worker = createWorker({
    ...options,
    queue: RETENTION_QUEUE,
    longestDelayMs: intervalMs,
    async handler(_job, signal) {
      const startedAt = clock.now();
      const removed = await retention.run(signal);
      if (signal.aborted) return retryAt(clock.now());
      logger.info('retention was applied', { removed });
      return done((tx) => planNext(tx, startedAt));
    },
    onGivenUp: (tx) => planNext(tx, clock.now()),
  });
  return {
    async start() {
      await database.transaction((session) =>
        database.kernel(session).ensureJob(jobAt(clock.now())),
      );
      await worker.start();
    },
    stop: () => worker.stop(),
  };
}
