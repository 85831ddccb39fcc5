import type { Clock } from '../clock.ts';
import { isStatementTimeout, isUnreachable } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import type {
  Database,
  DatabaseSession,
  KernelOperations,
  TransactionOptions,
} from '../storage/database.ts';
import type { ResultBatch } from './batch.ts';
import { TransactionBatch } from './batch.ts';
import { toTenantKey } from './fair-choice.ts';
import type { JobOutcome } from './outcome.ts';
import type { WaitingResult } from './result-lane.ts';
import { ResultLane } from './result-lane.ts';
import type { LeasedJob } from './storage.ts';

/** A finished attempt whose result is not stored yet; `error` is null when it did not fail. */
export interface Finished {
  readonly job: LeasedJob;
  /** Number of attempts begun. */
  readonly attempts: number;
  readonly outcome: JobOutcome;
  readonly error: string | null;
}

/** Dependencies of the storing of results. */
export interface ResultStoreOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: string;
  readonly durability?: TransactionOptions['durability'];
  /** Number of jobs in progress that are not slow, with those whose result is not stored yet. */
  inProgress(): number;
  /** Ends the jobs of these results; returns the ids of those whose leases were held. */
  end(tx: KernelOperations, finished: readonly Finished[]): Promise<ReadonlySet<string>>;
  /** The lease of the job was lost, and with it the result. */
  lose(job: LeasedJob): void;
  /** The failed attempt that a result counts as which cannot be stored. */
  toFailure(finished: Finished, error: unknown): Finished;
}

/** Transactions of one worker that store results at once. */
const CONCURRENCY = 4;

/** A transaction ends after the result with which it has taken so long; the others get the next one. */
const TRANSACTION_MS = 10;

/**
 * Milliseconds for which results wait for others to share a transaction with, while so many jobs are in progress, and
 * more than results wait. A sync to disk takes up to several milliseconds, in which the event loop stands still on
 * SQLite.
 */
const GATHER_MS = 8;
const GATHERED_JOBS = 12;

/** Results of one transaction; their failure is found by storing each by itself. */
const MAX_BATCH = 64;

/** The lane of results that do not ask for transactions of their tenant. */
const SHARED = 'shared';

/**
 * Stores the results of a worker's jobs. Those that finish together share transactions, except ones
 * that ask for transactions of their tenant. Tenants take turns, with a bounded share of time each
 * and within the transactions that they share: a job keeps its place until its result is stored.
 */
export class ResultStore {
  readonly #options: ResultStoreOptions;
  readonly #lanes = new Map<string, ResultLane>();
  /** Lanes with waiting results and no transaction, in the order of their turns. */
  readonly #turns: ResultLane[] = [];
  #running = 0;
  /** Number of results that are not settled. */
  #held = 0;
  #isScheduled = false;
  #gathering: NodeJS.Timeout | undefined;
  /** Whether a job waits for one of the results that are not in a transaction. */
  #isAwaited = false;

  constructor(options: ResultStoreOptions) {
    this.#options = options;
  }

  /** Resolves when the result is stored, or is left to the next worker that leases the job. */
  add(finished: Finished): Promise<void> {
    const { job, outcome } = finished;
    const key = outcome.byTenant ? `tenant ${toTenantKey(job.tenantId)}` : SHARED;
    this.#held += 1;
    this.#isAwaited ||= job.isOrdered === true;
    return new Promise((resolve) => {
      const settled = () => {
        this.#held -= 1;
        resolve();
      };
      const lane = this.#lanes.get(key) ?? this.#open(key);
      lane.add({ finished, settled });
      this.#schedule();
    });
  }

  #open(key: string): ResultLane {
    const lane = new ResultLane(key);
    this.#lanes.set(key, lane);
    this.#turns.push(lane);
    return lane;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Results of the same turn of the event loop share a transaction.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#runOrGather();
    });
  }

  #runOrGather(): void {
    if (this.#isComplete) this.#run();
    else this.#gathering ??= setTimeout(() => this.#run(), GATHER_MS);
  }

  /** Whether so few jobs are in progress, beside the waiting results, that none of these waits for theirs. */
  get #isComplete(): boolean {
    const unfinished = this.#options.inProgress() - this.#held;
    if (this.#isAwaited || unfinished < GATHERED_JOBS) return true;
    const waiting = this.#turns.reduce((sum, { size }) => sum + size, 0);
    return waiting >= unfinished;
  }

  #run(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#isAwaited = false;
    while (this.#running < CONCURRENCY) {
      const lane = this.#turns.shift();
      if (!lane) return;
      this.#running += 1;
      void this.#storeNext(lane).finally(() => {
        this.#running -= 1;
        if (!lane.isEmpty) this.#turns.push(lane);
        else this.#lanes.delete(lane.key);
        this.#runOrGather();
      });
    }
  }

  async #storeNext(lane: ResultLane): Promise<void> {
    const batch = lane.take(MAX_BATCH);
    const ended = new Set(await this.#storeBatch(batch));
    lane.putBack(batch.filter((result) => !ended.has(result)));
    for (const { settled } of ended) settled();
  }

  /** Returns the results that need no further attempt, at least one. */
  async #storeBatch(batch: readonly WaitingResult[]): Promise<Iterable<WaitingResult>> {
    const results = batch.map(({ finished }) => finished);
    const progress = { at: 0 };
    try {
      return batch.slice(0, await this.#store(results, progress));
    } catch (error) {
      if (isUnreachable(error)) return batch.slice(0, await this.#storeAgain(results, error));
      const waiting = results[progress.at];
      if (waiting && isStatementTimeout(error)) return this.#failTenant(batch, waiting, error);
    }
    // Each by itself, so that the failing one does not undo the others.
    const left = new Set(batch);
    for (const result of batch) {
      if (!left.has(result)) continue;
      for (const ended of await this.#storeAlone(result, [...left])) left.delete(ended);
    }
    return batch;
  }

  /** After a lost connection once more, on a new one. */
  async #storeAgain(results: readonly Finished[], error: unknown): Promise<number> {
    if (isUnreachable(error, 'timeout')) return this.#leave(results, error);
    try {
      return await this.#store(results);
    } catch (again) {
      return this.#leave(results, again);
    }
  }

  /**
   * Leaves all results to the leases of their jobs: the database does not answer, and each further
   * transaction would wait for its time limit. The jobs are repeated.
   */
  #leave(results: readonly Finished[], error: unknown): number {
    const { logger, queue } = this.#options;
    const others = [...this.#lanes.values()].flatMap((lane) => lane.clear());
    const count = results.length + others.length;
    logger.error('results were not stored, and their jobs are repeated', { error, queue, count });
    for (const { settled } of others) settled();
    return results.length;
  }

  /**
   * Treats the results of a tenant that wait to be stored as failed attempts: a statement of one of them
   * has waited for its time limit, for rows that the others may need too. Returns those of the batch.
   */
  async #failTenant(
    batch: readonly WaitingResult[],
    { job: { tenantId } }: Finished,
    error: unknown,
  ): Promise<readonly WaitingResult[]> {
    const own = batch.filter(({ finished }) => finished.job.tenantId === tenantId);
    const others = [...this.#lanes.values()].flatMap((lane) => lane.takeOf(tenantId));
    const failures = [...own, ...others].map(({ finished }) =>
      this.#options.toFailure(finished, error),
    );
    await this.#storeFailures(failures);
    for (const { settled } of others) settled();
    return own;
  }

  /**
   * Tries twice, then treats a result that cannot be stored as a failed attempt; at least once, and
   * never lost. Returns it, and those of its tenant in the batch when it waited for its time limit.
   */
  async #storeAlone(
    result: WaitingResult,
    batch: readonly WaitingResult[],
  ): Promise<readonly WaitingResult[]> {
    const { finished } = result;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#store([finished]);
        return [result];
      } catch (error) {
        if (isStatementTimeout(error)) return this.#failTenant(batch, finished, error);
        if (tries < 2) continue;
        await this.#storeFailures([this.#options.toFailure(finished, error)]);
        return [result];
      }
    }
  }

  /** If even a failed attempt cannot be stored, its lease expires, which counts as well. */
  async #storeFailures(failures: Finished[]): Promise<void> {
    try {
      while (failures.length > 0) failures.splice(0, await this.#store(failures));
    } catch {
      // Each further transaction could wait for its time limit, too.
    }
  }

  /**
   * Stores results in one transaction until it has taken its time; returns their number. Those whose leases were
   * lost are left out, and count.
   * @param progress set to the index of the result that is being stored, at last to the number of results
   */
  #store(results: readonly Finished[], progress = { at: 0 }): Promise<number> {
    const { database, clock, durability } = this.#options;
    const work = async (session: DatabaseSession) => {
      const tx = database.kernel(session);
      const startedMs = clock.monotonicMs();
      const batch = new TransactionBatch();
      let stored = 0;
      while (stored < results.length && clock.monotonicMs() - startedMs <= TRANSACTION_MS) {
        progress.at = stored;
        const part = results.slice(stored, stored + nextPartSize(results, stored));
        await this.#storePart(tx, part, batch, progress);
        stored += part.length;
      }
      progress.at = results.length;
      await batch.store(tx);
      return stored;
    };
    return database.transaction(work, durability && { durability });
  }

  async #storePart(
    tx: KernelOperations,
    part: readonly Finished[],
    batch: ResultBatch,
    progress: { at: number },
  ): Promise<void> {
    const { end, lose } = this.#options;
    const ended = await end(tx, part);
    for (const { job, outcome } of part) {
      if (ended.has(job.id)) await outcome.apply?.(tx, batch);
      else lose(job);
      progress.at += 1;
    }
  }
}

/**
 * Results that take no time of their own are one part. Of the others each part is as large as all before it, so that
 * few statements end many jobs, and that the last part takes about as long as the transaction until then.
 */
function nextPartSize(results: readonly Finished[], stored: number): number {
  const slow = results.findIndex(({ outcome }, index) => index >= stored && !isQuick(outcome));
  const quick = (slow === -1 ? results.length : slow) - stored;
  return Math.max(quick, stored, 1);
}

function isQuick({ kind, isBatched }: JobOutcome): boolean {
  return kind !== 'failed' && isBatched;
}
