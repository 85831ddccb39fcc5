import type { KernelOperations } from '../storage/database.ts';
import type { LeasedJob } from './storage.ts';

/**
 * Stores the result of an attempt, in the same transaction that ends the job. It does not run when
 * the lease was lost, and runs again when the transaction is retried.
 */
export type ApplyOutcome = (tx: KernelOperations) => Promise<void>;

/**
 * Outcome of a handler; built by {@link done}, {@link retryAt} and {@link failed}. For a handler
 * that throws, the worker's retry profile decides.
 */
export type JobOutcome =
  | { readonly kind: 'done'; readonly apply: ApplyOutcome | null }
  | { readonly kind: 'retry'; readonly at: Date; readonly apply: ApplyOutcome | null }
  | { readonly kind: 'failed'; readonly reason: string; readonly apply: ApplyOutcome | null };

/**
 * Processes one job; holds no transaction while it waits for the network.
 *
 * @param signal aborts when the worker stops
 * @param waiting to be called when only another system's answer is waited for: the job then no longer
 *   counts among those that start (`startConcurrency` of the worker)
 */
export type JobHandler = (
  job: LeasedJob,
  signal: AbortSignal,
  waiting: () => void,
) => Promise<JobOutcome>;

/** The job is done and is deleted. */
export function done(apply?: ApplyOutcome): JobOutcome {
  return { kind: 'done', apply: apply ?? null };
}

/**
 * The job is due again at `at`, by the handler's own schedule: the worker's maximum number of
 * attempts does not apply, and its count of attempts starts again.
 */
export function retryAt(at: Date, apply?: ApplyOutcome): JobOutcome {
  return { kind: 'retry', at, apply: apply ?? null };
}

/** The job has failed permanently and is kept with the failed jobs; `reason` is its last error. */
export function failed(reason: string, apply?: ApplyOutcome): JobOutcome {
  return { kind: 'failed', reason, apply: apply ?? null };
}
