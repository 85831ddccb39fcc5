import type { Database, KernelOperations, PageOf } from '@probity/core';
import { systemClock } from '@probity/core';
import type { FailedJob, PendingJob } from '@probity/core/internal';
import { coreMigrations } from '@probity/core/sql';
import type { JobListFlags, JobRetryFlags } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';
import { StartFailure } from './failure.ts';

const PAGE_SIZE = 200;

/** Jobs retried in one transaction, which claims of workers wait for. */
const RETRY_BATCH = 500;

/** Prints the jobs that are not finished, or the failed ones: a line each, or one array of JSON. */
export function listJobs(flags: JobListFlags, { env, print }: CommandContext): Promise<void> {
  return withExistingDatabase(
    readDatabase(flags, env),
    async (database) => {
      const reads = database.kernel(database.reader);
      const jobs: Array<PendingJob | FailedJob> = [];
      for await (const job of flags.failed
        ? pagesOf((page) => reads.listFailedJobs(page, flags.queue))
        : pagesOf((page) => reads.listJobs(page, flags.queue))) {
        if (flags.json) jobs.push(job);
        else print(`${toLine(job)}\n`);
      }
      if (flags.json) print(`${JSON.stringify(jobs)}\n`);
    },
    coreMigrations,
  );
}

/**
 * Makes failed jobs due again, by id or all of a queue, and prints how many.
 * @throws StartFailure when neither ids nor a queue are given or both are, and for ids that no failed
 *   job has, after the others have been made due
 */
export async function retryJobs(
  ids: readonly string[],
  flags: JobRetryFlags,
  { env, print }: CommandContext,
): Promise<void> {
  const { queue } = flags;
  if (ids.length > 0 === (queue !== undefined)) {
    throw new StartFailure(
      'Give the ids of failed jobs, or --queue NAME for all failed jobs of a queue',
    );
  }
  await withExistingDatabase(
    readDatabase(flags, env),
    async (database) => {
      const due = (count: number) => print(`${count} ${count === 1 ? 'job is' : 'jobs are'} due\n`);
      if (queue !== undefined) return due(await retryQueue(database, queue));
      const retried = await database.transaction((session) =>
        database.kernel(session).retryFailedJobs(ids, systemClock.now()),
      );
      due(retried.length);
      const unknown = ids.filter((id) => !retried.includes(id));
      if (unknown.length > 0)
        throw new StartFailure(`No failed job has the id ${unknown.join(', ')}`);
    },
    coreMigrations,
  );
}

/** Makes the jobs of a queue due that have failed by now, in batches; returns their number. */
async function retryQueue(database: Database, queue: string): Promise<number> {
  const failedUntil = systemClock.now();
  for (let total = 0; ; ) {
    const { taken, retried } = await database.transaction((session) =>
      database
        .kernel(session)
        .retryFailedBatch({ queue, failedUntil, limit: RETRY_BATCH }, systemClock.now()),
    );
    total += retried;
    if (taken === 0) return total;
  }
}

async function* pagesOf<Job>(
  read: (page: Parameters<KernelOperations['listJobs']>[0]) => Promise<PageOf<Job>>,
): AsyncGenerator<Job> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { items } = await read({ limit: PAGE_SIZE, offset });
    yield* items;
    if (items.length < PAGE_SIZE) return;
  }
}

function toLine(job: PendingJob | FailedJob): string {
  const { id, queue, group, attempts, lastError } = job;
  const when =
    'failedAt' in job
      ? `failed ${job.failedAt.toISOString()}`
      : `${job.isLeased ? 'leased until' : 'due'} ${job.dueAt.toISOString()}`;
  const counted = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const texts = [id, queue, group, counted, when, ...(lastError === null ? [] : [lastError])];
  // Errors quote what others sent: no line end and no escape sequence of theirs reaches a terminal.
  return texts.map((text) => text.replace(/\p{Cc}+/gu, ' ')).join('  ');
}
