import type { KernelOperations } from '../storage/database.ts';
import type { LeasedJob } from './storage.ts';

/**
 * Stores the result of an attempt, in the same transaction that ends the job. It does not run when
 * the lease was lost, and runs again when the transaction is repeated.
 */
export type ApplyOutcome = (tx: KernelOperations) => Promise<void>;

/**
 * What a handler made of a job; built by {@link done}, {@link retryAt} and {@link failed}. A handler
 * that throws has failed in a way it did not foresee: the worker's retry profile decides.
 */
export type JobOutcome =
  | { readonly kind: 'done'; readonly apply: ApplyOutcome | null }
  | { readonly kind: 'retry'; readonly at: Date; readonly apply: ApplyOutcome | null }
  | { readonly kind: 'failed'; readonly reason: string; readonly apply: ApplyOutcome | null };

/** Does one job; holds no transaction while it waits for the network. */
export type JobHandler = (job: LeasedJob, signal: AbortSignal) => Promise<JobOutcome>;

/** The job is done and goes. */
export function done(apply?: ApplyOutcome): JobOutcome {
  return { kind: 'done', apply: apply ?? null };
}

/**
 * The job is due again at `at`, by a schedule of the handler's own: the worker's largest number of
 * attempts does not end it.
 */
export function retryAt(at: Date, apply?: ApplyOutcome): JobOutcome {
  return { kind: 'retry', at, apply: apply ?? null };
}

/** The job has failed for good and is kept among the failed jobs; `reason` is their last error. */
export function failed(reason: string, apply?: ApplyOutcome): JobOutcome {
  return { kind: 'failed', reason, apply: apply ?? null };
}
