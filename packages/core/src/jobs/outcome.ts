import type { KernelOperations } from '../storage/database.ts';
import type { ResultBatch } from './batch.ts';
import type { LeasedJob } from './storage.ts';

/**
 * Stores the result of an attempt, in the same transaction that ends the job. It does not run when
 * the lease was lost, and runs again when the transaction is retried. Rows that other results may
 * write as well are left to `batch`.
 */
export type ApplyOutcome = (tx: KernelOperations, batch: ResultBatch) => Promise<void>;

/** How a result is stored. */
export interface ApplyOptions {
  /**
   * In transactions with results of the same tenant only, so that others do not wait for it: for
   * one that writes many rows, or locks rows that another transaction may hold. Default: with
   * results of any tenant, which takes fewer transactions.
   */
  readonly byTenant?: boolean;
  /**
   * Whether it does nothing but add values to the batch: all such results of a transaction end by one statement
   * before their values are stored. Default: false, since each may take long.
   */
  readonly isBatched?: boolean;
}

interface Applied {
  readonly apply: ApplyOutcome | null;
  readonly byTenant: boolean;
  readonly isBatched: boolean;
}

/**
 * Outcome of a handler; built by {@link done}, {@link retryAt} and {@link failed}. For a handler
 * that throws, the worker's retry profile decides.
 */
export type JobOutcome =
  | ({ readonly kind: 'done' } & Applied)
  | ({ readonly kind: 'retry'; readonly at: Date } & Applied)
  | ({ readonly kind: 'failed'; readonly reason: string } & Applied);

/**
 * Processes one job; holds no transaction while it waits for the network.
 *
 * @param signal aborts when the worker stops
 * @param waiting to be called when only another system's answer is waited for: the job then no longer
 *   counts among those that start (`startConcurrency` of the worker); `isCheap` says that it has taken little
 *   processor time, so that more may start at once
 */
export type JobHandler = (
  job: LeasedJob,
  signal: AbortSignal,
  waiting: (isCheap?: boolean) => void,
) => Promise<JobOutcome>;

/** The job is done and is deleted. */
export function done(apply?: ApplyOutcome, options?: ApplyOptions): JobOutcome {
  return { kind: 'done', ...applied(apply, options) };
}

/**
 * The job is due again at `at`, by the handler's own schedule: the worker's maximum number of
 * attempts does not apply, and its count of attempts starts again.
 */
export function retryAt(at: Date, apply?: ApplyOutcome, options?: ApplyOptions): JobOutcome {
  return { kind: 'retry', at, ...applied(apply, options) };
}

/** The job has failed permanently and is kept with the failed jobs; `reason` is its last error. */
export function failed(reason: string, apply?: ApplyOutcome, options?: ApplyOptions): JobOutcome {
  return { kind: 'failed', reason, ...applied(apply, options) };
}

function applied(apply: ApplyOutcome | undefined, options: ApplyOptions | undefined): Applied {
  const { byTenant = false, isBatched = apply === undefined } = options ?? {};
  return { apply: apply ?? null, byTenant, isBatched };
}
