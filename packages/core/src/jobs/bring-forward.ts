import type { Clock } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';

/** How far clocks may differ, or be set back, without making a recurring job due at once. */
const SLACK_MS = 3_600_000;
const CLOCK_WAS_AHEAD = 'the clock was ahead when jobs were stored; they are due now';

/** The parts of a worker's options that are used. */
interface Options {
  readonly database: Database;
  readonly queue: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly longestDelayMs: number;
}

/**
 * Makes the jobs of a queue due that were stored while the clock was ahead, if the next one was.
 * @param next when the next job of the queue is due
 * @returns whether there were any
 */
export async function bringForward(
  { database, queue, clock, logger, longestDelayMs }: Options,
  next: Date | null,
): Promise<boolean> {
  const now = clock.now();
  const latestMs = now.getTime() + longestDelayMs + SLACK_MS;
  if (next === null || next.getTime() <= latestMs) return false;
  const jobs = await database.transaction((session) =>
    database.kernel(session).bringForwardJobs(queue, new Date(latestMs), now),
  );
  if (jobs > 0) logger.warn(CLOCK_WAS_AHEAD, { queue, jobs, was_due_at: next });
  return jobs > 0;
}
