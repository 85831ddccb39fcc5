import type { Clock } from '../clock.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Service } from '../lifecycle/lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import type { Retention } from './retention.ts';

/** The queue of the one job that applies retention, again and again. */
export const RETENTION_QUEUE = 'retention';

const DAY_MS = 86_400_000;

/** What the worker needs. */
export interface RetentionWorkerOptions {
  readonly database: Database;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  newLeaseToken(): string;
  /** From the beginning of a run to that of the next; default one day. */
  readonly intervalMs?: number;
}

/**
 * Applies retention once a day. All workers on a database share one job: whoever leases it does the
 * run, and one that dies is followed by another when its lease has run out. A run that is broken
 * off by a stop is due again at once, and goes on where it was.
 */
export function createRetentionWorker(options: RetentionWorkerOptions): Service {
  const { database, retention, clock, logger, intervalMs = DAY_MS } = options;
  const worker = createWorker({
    ...options,
    queue: RETENTION_QUEUE,
    async handler(_job, signal) {
      const startedAt = clock.now();
      const removed = await retention.run(signal);
      if (signal.aborted) return { retryAt: clock.now() };
      logger.info('retention was applied', { removed });
      return { retryAt: new Date(startedAt.getTime() + intervalMs) };
    },
  });
  return {
    async start() {
      const job = {
        id: 'job_retention',
        queue: RETENTION_QUEUE,
        lane: RETENTION_QUEUE,
        payload: {},
        dueAt: clock.now(),
      };
      await database.transaction((session) => database.kernel(session).ensureJob(job));
      await worker.start();
    },
    stop: () => worker.stop(),
  };
}
