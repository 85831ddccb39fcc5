import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '../clock.ts';
import type { Service } from '../lifecycle/lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { LeasedJob } from './storage.ts';

/** What a handler made of a job. */
export interface JobOutcome {
  /**
   * Stores the result, in the same transaction that ends the job. It does not run when the lease
   * was lost, and runs again when the transaction is repeated.
   */
  apply?(tx: KernelOperations): Promise<void>;
  /** When the job is due again; absent when it is done. */
  readonly retryAt?: Date;
}

/** Does one job; holds no transaction while it waits for the network. */
export type JobHandler = (job: LeasedJob, signal: AbortSignal) => Promise<JobOutcome>;

/** Settings of a worker. */
export interface WorkerOptions {
  readonly database: Database;
  readonly queue: string;
  readonly handler: JobHandler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the token that marks this worker's leases. */
  newLeaseToken(): string;
  /** Jobs in hand at once, not counting slow ones; default 64. */
  readonly concurrency?: number;
  /** Jobs in hand at once of one lane; default 8. */
  readonly laneConcurrency?: number;
  /** A job in hand for longer is slow: it gives its place back, and its lane is held to two; default 1000. */
  readonly slowAfterMs?: number;
  /** Jobs in hand at once, slow ones included; default 512. */
  readonly hardLimit?: number;
  /** Length of a lease, renewed at a third of it; default 15000. */
  readonly leaseMs?: number;
  /** How often to look for jobs that other processes stored; default 1000. */
  readonly pollMs?: number;
}

/** A background worker over one queue. */
export interface Worker extends Service {
  /** Looks for jobs now; called by itself after a commit of this process that stored some. */
  wake(): void;
  /** Does every job that is due now and resolves with their number once the results are stored. */
  runOnce(): Promise<number>;
}

interface InHand {
  readonly job: LeasedJob;
  readonly startedAtMs: number;
  done: Promise<void>;
}

interface Finished {
  readonly job: LeasedJob;
  readonly outcome: JobOutcome;
  settled(): void;
}

const RETRY_AFTER_FAILURE_MS = 5_000;

/**
 * Creates a worker on leases. Jobs are claimed in batches, done concurrently within the limits of
 * each lane, and ended in batches together with their results. A process that dies loses nothing:
 * its leases run out and another worker, or its successor, does the jobs again.
 */
export function createWorker(options: WorkerOptions): Worker {
  return new LeaseWorker(options);
}

class LeaseWorker implements Worker {
  readonly #options: Required<WorkerOptions>;
  readonly #token: string;
  readonly #inHand = new Map<string, InHand>();
  #finished: Finished[] = [];
  #flushing: Promise<void> | null = null;
  #stopping = createStopController();
  #running = false;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #pollTimer: Timer | null = null;
  #renewTimer: Timer | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = {
      concurrency: 64,
      laneConcurrency: 8,
      slowAfterMs: 1_000,
      hardLimit: 512,
      leaseMs: 15_000,
      pollMs: 1_000,
      ...options,
    };
    this.#token = options.newLeaseToken();
  }

  async start(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    this.#stopping = createStopController();
    const { database, queue } = this.#options;
    this.#unsubscribe = database.jobSignal.subscribe(queue, () => this.wake());
    this.#scheduleRenewal();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#unsubscribe();
    this.#pollTimer?.cancel();
    this.#renewTimer?.cancel();
    this.#stopping.abort();
    await this.#looking;
    await this.#drain();
  }

  wake(): void {
    if (!this.#running) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      if (this.#lookAgain) this.wake();
    });
  }

  async runOnce(): Promise<number> {
    let total = 0;
    for (;;) {
      const started = await this.#claimAndStart();
      await this.#drain();
      if (started === 0) return total;
      total += started;
    }
  }

  /** Claims until nothing due is left within the limits, then sets the timer for the next look. */
  async #look(): Promise<void> {
    let delayMs = this.#options.pollMs;
    try {
      while (this.#lookAgain && this.#running) {
        this.#lookAgain = false;
        const claimed = (await this.#isAnythingDue()) ? await this.#claimAndStart() : 0;
        if (claimed > 0) this.#lookAgain = true;
      }
      delayMs = await this.#delayToNext();
    } catch (error) {
      this.#options.logger.error('looking for jobs failed', { error, queue: this.#options.queue });
    }
    this.#pollTimer?.cancel();
    if (this.#running) this.#pollTimer = this.#options.clock.setTimer(() => this.wake(), delayMs);
  }

  async #isAnythingDue(): Promise<boolean> {
    if (this.#freeSlots() === 0) return false;
    const next = await this.#nextDueAt();
    return next !== null && next.getTime() <= this.#options.clock.now().getTime();
  }

  async #delayToNext(): Promise<number> {
    const next = await this.#nextDueAt();
    const waitMs = next ? next.getTime() - this.#options.clock.now().getTime() : Infinity;
    // What is due already waits for a free place: whoever frees one wakes the worker.
    return waitMs > 0 ? Math.min(waitMs, this.#options.pollMs) : this.#options.pollMs;
  }

  #nextDueAt(): Promise<Date | null> {
    const { database, queue } = this.#options;
    const lanes = new Set([...this.#inHand.values()].map(({ job }) => job.lane));
    const full = [...lanes].filter((lane) => this.#laneCapacity(lane) === 0);
    return database.kernel(database.reader).nextDueAt(queue, full);
  }

  async #claimAndStart(): Promise<number> {
    const { database, queue, clock, leaseMs } = this.#options;
    const limit = this.#freeSlots();
    if (limit === 0) return 0;
    const now = clock.now();
    const jobs = await database.transaction((session) =>
      database.kernel(session).claimJobs({
        queue,
        now,
        leaseUntil: new Date(now.getTime() + leaseMs),
        leaseToken: this.#token,
        limit,
        laneCapacity: (lane) => this.#laneCapacity(lane),
      }),
    );
    for (const job of jobs) {
      const entry = { job, startedAtMs: clock.monotonicMs(), done: Promise.resolve() };
      this.#inHand.set(job.id, entry);
      entry.done = this.#work(job);
    }
    return jobs.length;
  }

  async #work(job: LeasedJob): Promise<void> {
    const { clock, handler, logger, queue } = this.#options;
    let outcome: JobOutcome;
    try {
      outcome = await handler(job, this.#stopping.signal);
    } catch (error) {
      logger.error('a job failed', { error, queue, job_id: job.id });
      outcome = { retryAt: new Date(clock.now().getTime() + RETRY_AFTER_FAILURE_MS) };
    }
    await new Promise<void>((settled) => {
      this.#finished.push({ job, outcome, settled });
      this.#flushing ??= this.#flush();
    });
    this.#inHand.delete(job.id);
    this.wake();
  }

  /** Stores results as long as there are any, all that came in meanwhile in one transaction. */
  async #flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#finished.length > 0) {
      const batch = this.#finished;
      this.#finished = [];
      const stored = batch.length === 1 ? false : await this.#store(batch).then(succeeded, failed);
      // One bad result must not undo its neighbours: then each gets a transaction of its own.
      if (!stored) for (const item of batch) await this.#storeAlone(item);
      for (const item of batch) item.settled();
    }
    this.#flushing = null;
  }

  async #storeAlone(item: Finished): Promise<void> {
    const { logger, queue } = this.#options;
    await this.#store([item]).catch((error: unknown) => {
      // The lease runs out and the job is done again: at least once, never lost.
      logger.error('storing the result of a job failed', { error, queue, job_id: item.job.id });
    });
  }

  #store(batch: readonly Finished[]): Promise<void> {
    const { database } = this.#options;
    return database.transaction(async (session) => {
      const tx = database.kernel(session);
      for (const { job, outcome } of batch) {
        const held = outcome.retryAt
          ? await tx.rescheduleJob(job.id, this.#token, outcome.retryAt)
          : await tx.finishJob(job.id, this.#token);
        if (held) await outcome.apply?.(tx);
      }
    });
  }

  async #drain(): Promise<void> {
    await Promise.all([...this.#inHand.values()].map(({ done }) => done));
  }

  #freeSlots(): number {
    const { concurrency, hardLimit } = this.#options;
    let quick = 0;
    for (const entry of this.#inHand.values()) if (!this.#isSlow(entry)) quick += 1;
    return Math.max(0, Math.min(concurrency - quick, hardLimit - this.#inHand.size));
  }

  #laneCapacity(lane: string): number {
    const { laneConcurrency } = this.#options;
    let inHand = 0;
    let isSlow = false;
    for (const entry of this.#inHand.values()) {
      if (entry.job.lane !== lane) continue;
      inHand += 1;
      isSlow ||= this.#isSlow(entry);
    }
    // A lane with a slow job is held to two, so that many slow lanes fit under the hard limit.
    return Math.max(0, (isSlow ? Math.min(2, laneConcurrency) : laneConcurrency) - inHand);
  }

  #isSlow(entry: InHand): boolean {
    const { clock, slowAfterMs } = this.#options;
    return clock.monotonicMs() - entry.startedAtMs > slowAfterMs;
  }

  #scheduleRenewal(): void {
    const { clock, leaseMs } = this.#options;
    this.#renewTimer = clock.setTimer(() => {
      void this.#renew().finally(() => {
        if (this.#running) this.#scheduleRenewal();
      });
    }, leaseMs / 3);
  }

  async #renew(): Promise<void> {
    const { clock, database, leaseMs, logger, queue } = this.#options;
    const ids = [...this.#inHand.keys()];
    if (ids.length === 0) return;
    const leaseUntil = new Date(clock.now().getTime() + leaseMs);
    try {
      await database.transaction((session) =>
        database.kernel(session).renewJobs(ids, this.#token, leaseUntil),
      );
    } catch (error) {
      logger.error('renewing leases failed', { error, queue });
    }
  }
}

/** Every job in hand listens to it; that is no leak, and Node is not to warn of one. */
function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function succeeded(): boolean {
  return true;
}

function failed(): boolean {
  return false;
}
