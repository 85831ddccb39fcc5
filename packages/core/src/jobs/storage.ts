import type { Page, PageOf } from '../paging.ts';

/** A piece of background work to be stored in the transaction that makes it necessary. */
export interface NewJob {
  readonly id: string;
  /** Which worker does it, such as `webhooks.deliver`. */
  readonly queue: string;
  /** Jobs of one group share a limit of concurrency, so that a slow group delays no other. */
  readonly group: string;
  /**
   * Small JSON that tells the worker what to do; the facts stay in the package's own tables. The
   * event that a member `eventId` names is kept for as long as the job is stored, failed or not.
   */
  readonly payload: Readonly<Record<string, string>>;
  readonly dueAt: Date;
}

/** What is known of the attempts at a job. */
interface JobAttempts {
  /**
   * Attempts begun since the job was stored or brought back from the failed ones, however they
   * ended: a claim counts one, so an attempt whose process is killed is counted as well.
   */
  readonly attempts: number;
  /** Why the last attempt failed, redacted and at most 1,000 characters; null when none did. */
  readonly lastError: string | null;
}

/** The last error of a job whose attempt has no end: its worker was killed or hung. */
export const LEASE_RAN_OUT =
  'The lease ran out: the worker ended, or hung, before the attempt did.';

/** A job that a worker holds until its lease runs out; `attempts` includes the present one. */
export interface LeasedJob extends NewJob, JobAttempts {
  /** The end of the lease. */
  readonly dueAt: Date;
  readonly leaseToken: string;
  /** Whether the attempt before has no end: its lease ran out, since its worker was killed or hung. */
  readonly isAbandoned: boolean;
}

/** A job that is stored and not finished. */
export interface PendingJob extends NewJob, JobAttempts {
  /** When it is due, or the end of its lease while it has one. */
  readonly dueAt: Date;
  readonly isLeased: boolean;
}

/** A job that was given up. */
export interface FailedJob extends Omit<NewJob, 'dueAt'>, JobAttempts {
  readonly lastError: string;
  readonly failedAt: Date;
}

/** Which failed jobs are meant. */
export type FailedJobSelection = { readonly ids: readonly string[] } | { readonly queue: string };

/** How a job was given up. */
interface JobFailure {
  /** Stored redacted and cut to 1,000 characters. */
  readonly error: string;
  readonly failedAt: Date;
  readonly attempts: number;
}

/** What a worker asks for. */
export interface ClaimRequest {
  readonly queue: string;
  readonly now: Date;
  /** When another worker may take the jobs if this one has not renewed or finished them. */
  readonly leaseUntil: Date;
  readonly leaseToken: string;
  /** The most jobs to give. */
  readonly limit: number;
  /** Leaves out jobs that may be what ended their workers (see `isSuspect`); default false. */
  readonly excludeSuspects?: boolean;
  /** How many jobs of this group may be given now; 0 leaves the group out. */
  groupCapacity(group: string): number;
}

/** Reads of the tables of jobs and of failed jobs. */
export interface JobReads {
  /**
   * When the next job of the queue is due, leaving out the named groups; null when there is none.
   * Leased jobs count with the end of their lease.
   */
  nextDueAt(queue: string, excludedGroups: readonly string[]): Promise<Date | null>;
  /**
   * When the job that has waited longest was due, for a gauge of how far a queue lags behind; null
   * when the queue is empty. A job in hand counts with the end of its lease, which is to come, and
   * one whose worker died with the end of the lease that ran out.
   */
  oldestDueAt(queue: string): Promise<Date | null>;
  /** How many jobs the queue holds, leased ones included and failed ones not. */
  countJobs(queue: string): Promise<number>;
  /** The jobs that are not finished, of one queue or of all, by due time, ties by id. */
  listJobs(page: Page, queue?: string): Promise<PageOf<PendingJob>>;
  /** How many failed jobs are kept, of one queue or of all. */
  countFailedJobs(queue?: string): Promise<number>;
  /** The failed jobs of one queue or of all, the last failure first, ties by id downwards. */
  listFailedJobs(page: Page, queue?: string): Promise<PageOf<FailedJob>>;
}

/** Changes of the tables of jobs and of failed jobs. */
export interface JobWrites {
  enqueueJobs(jobs: readonly NewJob[]): Promise<void>;
  /** Stores the job unless there is one with its id, which then stays as it is. */
  ensureJob(job: NewJob): Promise<void>;
  /**
   * Leases due jobs, oldest first, and counts an attempt at each. Of several workers that claim at
   * once each gets other jobs; a job whose lease has run out is given again, marked as abandoned.
   * Of suspects (abandoned again and again) a claim gives one at most.
   * May give fewer than there are; an empty answer means that no due job is within the groups'
   * capacity.
   */
  claimJobs(request: ClaimRequest): Promise<LeasedJob[]>;
  /** Moves the end of the leases that this token still holds; answers the ids of those jobs. */
  renewJobs(ids: readonly string[], leaseToken: string, leaseUntil: Date): Promise<string[]>;
  /** Removes a job. False, and no change, when the lease was lost. */
  finishJob(id: string, leaseToken: string): Promise<boolean>;
  /**
   * Ends the lease and makes the job due at `dueAt`; `error` is why the attempt failed, null (the
   * default) when it did not. False, and no change, when the lease was lost.
   */
  rescheduleJob(
    id: string,
    leaseToken: string,
    dueAt: Date,
    error?: string | null,
  ): Promise<boolean>;
  /**
   * Moves a job to the failed ones, in place of an earlier failed job with its id. False, and no
   * change, when the lease was lost.
   */
  failJob(id: string, leaseToken: string, failure: JobFailure): Promise<boolean>;
  /**
   * Makes failed jobs due at `dueAt` with no attempt counted and answers their ids. Of several calls
   * at once each gets other jobs. A failed job whose id a stored job has by now is dropped: that job
   * stays as it is and its id is not answered.
   */
  retryFailedJobs(selection: FailedJobSelection, dueAt: Date): Promise<string[]>;
  /** Removes up to `limit` jobs that failed before `before`, oldest first; answers how many. */
  deleteFailedJobs(before: Date, limit: number): Promise<number>;
  /**
   * Removes the jobs of a group that no worker has in hand, and answers how many. Leased ones stay,
   * so that the result of work in progress can be stored; failed ones stay too.
   */
  dropGroup(queue: string, group: string): Promise<number>;
}
