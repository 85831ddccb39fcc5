import type { TestContext } from 'node:test';
import type { TestClock } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { createIds } from '../../src/ids.ts';
import type { JobHandler, JobOutcome } from '../../src/jobs/outcome.ts';
import { done } from '../../src/jobs/outcome.ts';
import type { LeasedJob, NewJob } from '../../src/jobs/storage.ts';
import type { Worker, WorkerOptions } from '../../src/jobs/worker.ts';
import { createWorker } from '../../src/jobs/worker.ts';
import type { Logger } from '../../src/logging/logger.ts';
import { createLogger } from '../../src/logging/logger.ts';
import type { Database } from '../../src/storage/database.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { enqueue, newJob } from '../../src/testing/records.ts';

/** A worker on a database in memory under a clock that is turned by hand. */
export interface WorkerWorld {
  readonly database: Database;
  readonly clock: TestClock;
  readonly worker: Worker;
  /** Messages of the log, with the jobs they are about. */
  readonly log: string[];
  enqueue(...jobs: Array<Partial<NewJob>>): Promise<void>;
  count(): Promise<number>;
  /** Lets everything that needs no time come to rest. */
  settle(): Promise<void>;
}

/** Makes a world around a handler. */
export function createWorkerWorld(
  handler: JobHandler,
  options: Partial<WorkerOptions> = {},
): WorkerWorld {
  const database = options.database ?? createMemoryDatabase();
  const clock = createTestClock();
  const log: string[] = [];
  const worker = createWorker({
    database,
    clock,
    queue: 'test',
    handler,
    logger: collectingLogger(log),
    ids: createIds(),
    ...options,
  });
  return {
    database,
    clock,
    worker,
    log,
    enqueue: (...jobs) =>
      enqueue(database, ...jobs.map((job) => newJob({ dueAt: clock.now(), ...job }))),
    count: () => database.kernel(database.reader).countJobs('test'),
    async settle() {
      for (let turn = 0; turn < 10; turn += 1) await clock.advance(0);
    },
  };
}

function collectingLogger(log: string[]): Logger {
  return createLogger({
    write: (line) => {
      const { message, job_id: jobId } = JSON.parse(line) as { message: string; job_id?: string };
      log.push(jobId ? `${message}: ${jobId}` : message);
    },
  });
}

/** A handler whose jobs stay in hand until they are let go. */
export interface HeldJobs {
  readonly handler: JobHandler;
  /** Ids of the jobs started, in order. */
  readonly started: string[];
  /** Groups of the jobs in hand. */
  groups(): string[];
  /** Tenants of the jobs in hand. */
  tenants(): Array<string | null>;
  release(id: string, outcome?: JobOutcome): void;
  releaseAll(): void;
}

/** Makes such a handler. */
export function holdJobs(): HeldJobs {
  const inHand = new Map<string, { job: LeasedJob; resolve: (outcome: JobOutcome) => void }>();
  const started: string[] = [];
  const release = (id: string, outcome: JobOutcome = done()) => {
    inHand.get(id)?.resolve(outcome);
    inHand.delete(id);
  };
  return {
    started,
    groups: () => [...inHand.values()].map(({ job }) => job.group).sort(),
    tenants: () => [...inHand.values()].map(({ job }) => job.tenantId).sort(),
    release,
    releaseAll: () => {
      for (const id of [...inHand.keys()]) release(id);
    },
    handler: (job) => {
      started.push(job.id);
      return new Promise((resolve) => inHand.set(job.id, { job, resolve }));
    },
  };
}

/** A world whose jobs are held. */
interface HeldWorld extends WorkerWorld {
  readonly held: HeldJobs;
}

/** A world whose jobs run until they are released; after the test all are, and the worker stops. */
export function createHeldWorld(t: TestContext, options: Partial<WorkerOptions>): HeldWorld {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, options);
  t.after(async () => {
    held.releaseAll();
    await world.worker.stop();
  });
  return { ...world, held };
}

/** A database in memory that counts the claims. */
export function countingClaims(): {
  database: Database;
  claims: () => number;
  /** Keeps claims from ending, after their transaction, until the function returned is called. */
  hold: () => () => void;
} {
  const database = createMemoryDatabase() as Database;
  const claiming = new WeakSet<object>();
  let claims = 0;
  let released: Promise<void> | undefined;
  const counted: Database = {
    ...database,
    async transaction(work, options) {
      let own: object = {};
      const result = await database.transaction((session) => {
        own = session;
        return work(session);
      }, options);
      if (claiming.has(own)) await released;
      return result;
    },
    kernel(session) {
      const kernel = database.kernel(session);
      return Object.assign(Object.create(kernel) as typeof kernel, {
        claimJobs(request: Parameters<typeof kernel.claimJobs>[0]) {
          claims += 1;
          claiming.add(session);
          return kernel.claimJobs(request);
        },
      });
    },
  };
  const hold = () => {
    let release = () => {};
    released = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  };
  return { database: counted, claims: () => claims, hold };
}
