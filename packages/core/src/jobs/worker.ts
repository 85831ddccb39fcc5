import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '../clock.ts';
import type { Random } from '../crypto/random.ts';
import { systemRandom } from '../crypto/random.ts';
import type { Given } from '../given.ts';
import { given } from '../given.ts';
import type { Ids } from '../ids.ts';
import type { Service } from '../lifecycle/lifecycle.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations, TransactionOptions } from '../storage/database.ts';
import { bringForward } from './bring-forward.ts';
import { toErrorText } from './error-text.ts';
import { JobsInHand, START_MS } from './in-hand.ts';
import type { JobHandler } from './outcome.ts';
import { failed, retryAt } from './outcome.ts';
import { TenantsPassedOver } from './passed-over.ts';
import { LeaseRenewal } from './renewal.ts';
import type { Finished } from './results.ts';
import { ResultStore } from './results.ts';
import type { RetryProfile } from './retry.ts';
import { checkRetryProfile, JOB_RETRY, nextAttemptAt } from './retry.ts';
import type { LeasedJob } from './storage.ts';
import { LEASE_RAN_OUT } from './storage.ts';
import { aloneAfter } from './suspects.ts';
import { Turns } from './turns.ts';

/** Settings of a worker. */
export interface WorkerOptions {
  readonly database: Database;
  readonly queue: string;
  readonly handler: JobHandler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Generates the tokens of leases, one for each claim. */
  readonly ids: Pick<Ids, 'next'>;
  /**
   * When a job whose handler threw is retried, and after how many attempts it becomes a failed job;
   * default {@link JOB_RETRY}. A job whose worker is killed is due again when its lease has
   * expired, and fails after the same number of attempts.
   */
  readonly retry?: RetryProfile | undefined;
  /**
   * Runs in the transaction that moves a job to the failed ones, whatever the cause, such as to
   * store the next run of a recurring job. If it throws, the job is not given up, and is due again
   * when its lease has expired.
   */
  onGivenUp?(tx: KernelOperations, job: LeasedJob): Promise<void>;
  /** Source of the jitter of `retry`; default: the operating system's generator. */
  readonly random?: Random | undefined;
  /** Maximum number of concurrent jobs, excluding slow ones; default 64. */
  readonly concurrency?: number | undefined;
  /**
   * Maximum number of concurrent jobs that start: those whose handler has not called `waiting` yet,
   * for at most 100 ms. Many that start at once keep a job that comes next waiting for the processor.
   * Up to `concurrency` start at once while they call `waiting(true)`: each raises the maximum by one, and
   * one that does not halves it. Default: no maximum of its own.
   */
  readonly startConcurrency?: number | undefined;
  /** Maximum number of concurrent jobs of one group of a tenant; default 8. */
  readonly groupConcurrency?: number | undefined;
  /**
   * Maximum share of the places not used by other tenants that one tenant uses, of `concurrency` as
   * of `startConcurrency` and `hardLimit`; default 0.75. The rest stays free for tenants without a job in progress, so
   * that none waits for jobs of others; 1 keeps nothing free.
   */
  readonly tenantShare?: number | undefined;
  /**
   * Milliseconds until a job counts as slow: it frees its place and limits its group to two, until one of
   * the group ends quickly;
   * default 1000.
   */
  readonly slowAfterMs?: number | undefined;
  /** Maximum number of concurrent jobs, including slow ones; default 512. */
  readonly hardLimit?: number | undefined;
  /** Length of a lease in milliseconds, renewed after each third of it; default 4000. */
  readonly leaseMs?: number | undefined;
  /**
   * `deferred` for results that are made again from their job when a failure of the power undoes them, such as
   * rows that other jobs are made of; see {@link TransactionOptions}. Default: `full`.
   */
  readonly durability?: TransactionOptions['durability'];
  /**
   * Milliseconds after which every job of the queue is due at the latest, as for recurring jobs. Jobs that are due an
   * hour later than that were stored while the clock was ahead, and are due at once. Default: no maximum.
   */
  readonly longestDelayMs?: number | undefined;
  /** Interval of polls for jobs that other processes stored, in milliseconds; default 1000. */
  readonly pollMs?: number | undefined;
}

/** A background worker for one queue. */
export interface Worker extends Service {
  /** Polls now; called automatically after a commit of this process that stored jobs. */
  wake(): void;
  /**
   * Processes every job that is due now and resolves with their number once the results are stored.
   */
  runOnce(): Promise<number>;
}

/**
 * Creates a worker based on leases. Jobs are claimed in batches, processed concurrently within the
 * limits of each group, and completed in batches together with their results. A process that dies
 * loses nothing: its leases expire and another worker, or its successor, repeats the jobs. A job
 * that fails at every attempt becomes a failed job.
 *
 * @throws RangeError that names the first invalid setting of `retry`, or `tenantShare`
 */
export function createWorker(options: WorkerOptions): Worker {
  return new LeaseWorker(options);
}

/** Maximum number of jobs in one claim: its transaction is as long as that of others may be. */
const CLAIM_SIZE = 64;

/** A lease that is lost makes its job due again, as it does when the process ends. */
const CLAIM = { durability: 'deferred', readsInOrder: true } as const;

/**
 * Milliseconds until the next claim after one with fewer jobs. Mostly those were all that are due
 * within the limits, and a job that ends wakes the worker; but a concurrent claim may have held more.
 */
const SHORT_CLAIM_POLL_MS = START_MS;

class LeaseWorker implements Worker {
  readonly #options: Required<Given<WorkerOptions>>;
  readonly #renewal: LeaseRenewal;
  readonly #inHand: JobsInHand;
  readonly #results: ResultStore;
  readonly #turns = new Turns();
  #stopping = createStopController();
  #running = false;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  /** Whether the last look left due jobs over, which wait for a place. */
  #isBlocked = false;
  /** Whether a limit has changed since the last claim began, so that it may admit a job that waits. */
  #isPlaceFree = false;
  readonly #passedOver: TenantsPassedOver;
  #pollTimer: Timer | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = {
      concurrency: 64,
      startConcurrency: Number.MAX_SAFE_INTEGER,
      groupConcurrency: 8,
      tenantShare: 0.75,
      slowAfterMs: 1_000,
      hardLimit: 512,
      leaseMs: 4_000,
      pollMs: 1_000,
      longestDelayMs: Number.POSITIVE_INFINITY,
      durability: 'full',
      random: systemRandom,
      onGivenUp: async () => undefined,
      ...given(options),
      retry: checkRetryProfile(options.retry ?? JOB_RETRY),
    };
    const aloneAfterAttempts = aloneAfter(this.#options.retry.maxAttempts);
    this.#passedOver = new TenantsPassedOver(options.clock, SHORT_CLAIM_POLL_MS);
    this.#inHand = new JobsInHand(options.clock, { ...this.#options, aloneAfterAttempts });
    requireShare(this.#options.tenantShare);
    this.#results = new ResultStore({
      ...this.#options,
      inProgress: () => this.#inHand.quick,
      end: (tx, finished) => this.#end(tx, finished),
      lose: (job) => this.#inHand.setLost(job),
      toFailure: ({ job }, error) =>
        this.#afterFailure('storing the result of a job failed', job, error),
    });
    this.#renewal = new LeaseRenewal(this.#options, () => this.#inHand.jobs);
  }

  async start(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    this.#stopping = createStopController();
    const { database, queue } = this.#options;
    this.#unsubscribe = database.jobSignal.subscribe(queue, (tenantIds) => {
      for (const tenantId of tenantIds) this.#passedOver.admit(tenantId);
      this.wake();
    });
    this.#renewal.start();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#unsubscribe();
    this.#pollTimer?.cancel();
    this.#stopping.abort();
    await this.#looking;
    await this.#inHand.drain();
    // Unless the worker was started again meanwhile.
    if (!this.#running) await this.#renewal.stop();
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
    this.#passedOver.admitAllAfter(0);
    await bringForward(this.#options, await this.#nextDueAt());
    for (;;) {
      const started = await this.#claimAndStart();
      await this.#inHand.drain();
      if (started === 0) return total;
      total += started;
    }
  }

  /** Claims until no due job is left within the limits, then sets the timer of the next poll. */
  async #look(): Promise<void> {
    const { clock, pollMs, logger, queue } = this.#options;
    let delayMs = pollMs;
    try {
      let lookedAt = clock.now();
      let claimed = 0;
      while (this.#lookAgain && this.#running) {
        this.#lookAgain = false;
        lookedAt = clock.now();
        const started = (await this.#isAnythingDue()) ? await this.#claimAndStart() : 0;
        if (started === CLAIM_SIZE) this.#lookAgain = true;
        claimed += started;
      }
      delayMs = await this.#delayToNext(lookedAt, claimed);
    } catch (error) {
      logger.error('looking for jobs failed', { error, queue });
    }
    this.#pollTimer?.cancel();
    if (this.#running) this.#pollTimer = clock.setTimer(() => this.wake(), delayMs);
  }

  async #isAnythingDue(): Promise<boolean> {
    if (this.#inHand.freePlaces().limit === 0) return false;
    // The last look left some over.
    if (this.#isBlocked) return true;
    const next = await this.#nextDueAt();
    if (next === null) return false;
    return next <= this.#options.clock.now() || (await bringForward(this.#options, next));
  }

  /**
   * Milliseconds until the next look. Jobs that were due at `lookedAt` and are still wait for a place, which a
   * job that ends or waits announces, or another one's time.
   */
  async #delayToNext(lookedAt: Date, claimed: number): Promise<number> {
    const { clock, pollMs } = this.#options;
    const first = await this.#nextDueAt();
    this.#isBlocked = first !== null && first <= lookedAt;
    const next = this.#isBlocked ? await this.#nextDueAt(lookedAt) : first;
    const isShort = claimed > 0 || (this.#isBlocked && this.#inHand.freePlaces().starting > 0);
    const waitMs = next ? next.getTime() - clock.now().getTime() : Infinity;
    // It may be one of a tenant passed over, and another job may wake the worker before the timer does.
    this.#passedOver.admitAllAfter(waitMs);
    return Math.max(0, Math.min(waitMs, isShort ? SHORT_CLAIM_POLL_MS : pollMs));
  }

  #nextDueAt(after?: Date): Promise<Date | null> {
    const { database, queue } = this.#options;
    return database.kernel(database.reader).nextDueAt(queue, after);
  }

  async #claimAndStart(): Promise<number> {
    const { database, queue, clock, ids, leaseMs } = this.#options;
    const { starting: _, ...places } = this.#inHand.freePlaces();
    if (places.limit === 0) return 0;
    const passedOver = this.#passedOver.beginClaim();
    const full: Array<string | null> = [];
    // What has changed until now is seen by this claim.
    this.#isPlaceFree = false;
    this.#lookAgain = false;
    const jobs = await database.transaction((session) => {
      // Read here, as the transaction may have waited, or may be run again.
      const now = clock.now();
      return database.kernel(session).claimJobs({
        queue,
        now,
        leaseUntil: new Date(now.getTime() + leaseMs),
        leaseToken: ids.next('job'),
        ...places,
        limit: Math.min(places.limit, CLAIM_SIZE),
        turns: this.#turns,
        suspects: this.#inHand.suspects,
        excludedIds: this.#inHand.ids,
        passedOver,
        onFull: (tenantId) => full.push(tenantId),
      });
    }, CLAIM);
    this.#turns.record(jobs);
    this.#passedOver.add(full);
    for (const job of jobs) this.#inHand.add(job, () => this.#work(job));
    return jobs.length;
  }

  async #work(job: LeasedJob): Promise<void> {
    const finished = await this.#attempt(job);
    await this.#results.add(finished);
    this.#wakeForPlace(job, this.#inHand.remove(job));
    // Its new time may be the next at which a job is due.
    if (finished.outcome.kind === 'retry') this.wake();
  }

  async #attempt(job: LeasedJob): Promise<Finished> {
    const { handler, retry } = this.#options;
    const { attempts } = job;
    // Each may have ended its worker: no further one is started.
    if (job.isAbandoned && attempts > retry.maxAttempts) {
      const outcome = failed(LEASE_RAN_OUT);
      return { job, attempts: attempts - 1, outcome, error: LEASE_RAN_OUT };
    }
    try {
      const outcome = await handler(job, this.#stopping.signal, (isCheap) =>
        this.#setWaiting(job, isCheap),
      );
      return { job, attempts, outcome, error: null };
    } catch (error) {
      return this.#afterFailure('a job failed', job, error);
    }
  }

  #setWaiting(job: LeasedJob, isCheap = false): void {
    this.#wakeForPlace(job, this.#inHand.setWaiting(job, isCheap));
  }

  /**
   * Looks for due jobs once several may start, unless none waits for a place or no limit that excluded one has
   * changed.
   */
  #wakeForPlace({ tenantId }: LeasedJob, mayAdmit: boolean): void {
    // A claim in progress may find no place for the tenant, as it sees this job's as taken.
    if (mayAdmit || this.#looking !== null) this.#passedOver.admit(tenantId);
    // A claim in progress began with the limits from before.
    this.#isPlaceFree ||= mayAdmit || this.#looking !== null;
    const mayFind = this.#isBlocked || this.#looking !== null;
    if (this.#isPlaceFree && mayFind && this.#inHand.maySeveralStart) this.wake();
  }

  /** Converts an error to an outcome: another attempt by the retry profile, or a failed job. */
  #afterFailure(message: string, job: LeasedJob, error: unknown): Finished {
    const { clock, logger, queue, random, retry } = this.#options;
    const at = nextAttemptAt(retry, job.attempts, clock.now(), random);
    const { id: job_id, attempts } = job;
    logger.warn(message, { error, queue, job_id, attempts, retry_at: at });
    const text = toErrorText(error);
    return { job, attempts, outcome: at ? retryAt(at) : failed(text), error: text };
  }

  /** Ends the jobs; returns the ids of those whose leases were held. */
  async #end(tx: KernelOperations, finished: readonly Finished[]): Promise<ReadonlySet<string>> {
    const done = finished.filter(({ outcome }) => outcome.kind === 'done').map(({ job }) => job);
    const ended = new Set(done.length > 0 ? await tx.finishJobs(done) : []);
    for (const each of finished) {
      const { job, outcome, error } = each;
      if (outcome.kind === 'done') continue;
      const isHeld =
        outcome.kind === 'retry'
          ? await tx.rescheduleJob(job.id, job.leaseToken, outcome.at, error)
          : await this.#giveUp(tx, each, outcome.reason);
      if (isHeld) ended.add(job.id);
    }
    return ended;
  }

  async #giveUp(
    tx: KernelOperations,
    { job, attempts }: Finished,
    reason: string,
  ): Promise<boolean> {
    const { clock, logger, queue, onGivenUp } = this.#options;
    const error = toErrorText(reason);
    const failure = { error, failedAt: clock.now(), attempts };
    if (!(await tx.failJob(job.id, job.leaseToken, failure))) return false;
    await onGivenUp(tx, job);
    tx.session.afterCommit(() => {
      logger.error('a job was given up', { queue, job_id: job.id, attempts, reason: error });
    });
    return true;
  }
}

/** Every job in progress listens to it; this is not a leak, so Node must not warn of one. */
function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function requireShare(share: number): void {
  if (share > 0 && share <= 1) return;
  throw new RangeError('tenantShare must be a number above 0 and at most 1');
}
