import type { Page, PageOf } from '../paging.ts';
import type { SuspectsInHand } from './suspects.ts';

/** A unit of background work, stored in the transaction that makes it necessary. */
export interface NewJob {
  readonly id: string;
  /** Selects the worker, such as `webhooks.deliver`. */
  readonly queue: string;
  /**
   * The tenant that the work is done for, or null for work of the installation. Workers share their
   * places among the tenants with due jobs.
   */
  readonly tenantId: string | null;
  /**
   * Jobs of one tenant and group share a concurrency limit, so that a slow group delays no other.
   */
  readonly group: string;
  /**
   * Small JSON input of the worker; the data itself stays in the package's own tables. The event
   * that a member `eventId` names is kept while the job is stored, failed or not.
   */
  readonly payload: Readonly<Record<string, string>>;
  readonly dueAt: Date;
}

/** Names a group of jobs of a tenant. */
export interface JobGroup {
  readonly queue: string;
  readonly tenantId: string;
  readonly group: string;
}

/** How the jobs of a group are claimed, by all workers of the database together. */
export interface JobGroupRule {
  /**
   * The most jobs that begin within any second, from 1 on; null for no limit. A claim counts as the beginning,
   * and for 1.1 seconds, so that work may begin up to 100 ms later after one claim than after another.
   */
  readonly startsPerSecond: number | null;
  /**
   * Whether the jobs are processed one at a time in the order of their due times, ties by the event in their payload:
   * one that has begun, also one that waits for its retry, holds the later ones until it is done, given up or
   * dropped.
   */
  readonly isOrdered: boolean;
}

/** Attempts at a job so far. */
interface JobAttempts {
  /**
   * Attempts begun since the job was stored, restored from the failed ones, or rescheduled without
   * an error: a claim counts one, so an attempt whose process is killed is counted as well.
   */
  readonly attempts: number;
  /** Error of the last attempt, redacted and at most 1,000 characters; null when none failed. */
  readonly lastError: string | null;
}

/** Error text of an attempt that did not end: its worker was killed or hung. */
export const LEASE_RAN_OUT =
  'The lease ran out: the worker ended, or hung, before the attempt did.';

/** A job that a worker holds until its lease expires; `attempts` includes the present one. */
export interface LeasedJob extends NewJob, JobAttempts {
  /** The end of the lease. */
  readonly dueAt: Date;
  readonly leaseToken: string;
  /**
   * Whether the previous attempt did not end: its lease expired, as its worker was killed or hung.
   */
  readonly isAbandoned: boolean;
  /** Whether its group is ordered, so that the next job of the group waits for this one. */
  readonly isOrdered: boolean;
}

/** The lease of a job as its worker knows it. */
export type HeldLease = Pick<LeasedJob, 'id' | 'leaseToken'>;

/** A stored job that is not finished. */
export interface PendingJob extends NewJob, JobAttempts {
  /** Time when it is due, or the end of its lease while it is leased. */
  readonly dueAt: Date;
  readonly isLeased: boolean;
}

/** A job that was given up. */
export interface FailedJob extends Omit<NewJob, 'dueAt'>, JobAttempts {
  readonly lastError: string;
  readonly failedAt: Date;
}

/** Selects failed jobs of a queue, those that failed first. */
export interface FailedJobBatch {
  readonly queue: string;
  /** The latest failure, so that jobs which fail again meanwhile are left. */
  readonly failedUntil: Date;
  /** Maximum number of jobs. */
  readonly limit: number;
}

/** Numbers of jobs of a batch. */
export interface RetriedBatch {
  /** Failed jobs taken; 0 when none is left, or other calls are taking the rest. */
  readonly taken: number;
  /** Those of them that are due. */
  readonly retried: number;
}

/** Details of the job's failure. */
interface JobFailure {
  /** Stored redacted and cut to 1,000 characters. */
  readonly error: string;
  readonly failedAt: Date;
  readonly attempts: number;
}

/** The tenant and the groups served last, after which a claim continues. */
export interface ClaimTurns {
  /** Tenant of the last job claimed; undefined before the first. */
  readonly tenantId: string | null | undefined;
  /** Group of the last job claimed of this tenant; undefined when none is known. */
  groupOf(tenantId: string | null): string | undefined;
}

/** Parameters of a claim. */
export interface ClaimRequest {
  readonly queue: string;
  readonly now: Date;
  /** Time from which another worker may take the jobs, unless this one renews or finishes them. */
  readonly leaseUntil: Date;
  readonly leaseToken: string;
  /** Maximum number of jobs to return. */
  readonly limit: number;
  /**
   * The jobs in progress that may have ended their workers, beside which `SuspectLimits` permits few
   * further ones; default none.
   */
  readonly suspects?: SuspectsInHand;
  /** Ids of jobs to leave out, such as those that the worker has in progress; default none. */
  readonly excludedIds?: ReadonlySet<string>;
  /** Maximum number of jobs of this tenant's group to return; 0 excludes the group. */
  groupCapacity(group: string, tenantId: string | null): number;
  /**
   * Maximum number of jobs of this tenant to return together with `ofOthers` jobs of other tenants;
   * 0 excludes the tenant, and more jobs of others never permit more. Default: no maximum.
   */
  tenantCapacity?(tenantId: string | null, ofOthers: number): number;
  /** Default: begins with the first tenant and the first groups. */
  readonly turns?: ClaimTurns;
  /** Tenants to leave out, such as those of a former claim's `onFull`; default none. */
  readonly passedOver?: ReadonlySet<string | null>;
  /** Called with tenants that have due jobs, all of them of groups without capacity; not with every one. */
  onFull?(tenantId: string | null): void;
}

/** Reads of the tables of jobs and of failed jobs. */
export interface JobReads {
  /**
   * Earliest due time of a job of the queue; with `after`, the earliest time later than it at which a job is due, or
   * at which a group whose limit is used up can be claimed from again. Null when there is none. Leased jobs count
   * with the end of their lease.
   */
  nextDueAt(queue: string, after?: Date): Promise<Date | null>;
  /**
   * Since when the job that has waited longest could be claimed, for a gauge of the queue's lag; null when the
   * queue is empty. That is its due time; in a group with a rule the last claim of the group if that was
   * later, and for the later jobs of an ordered group the due time of the one that they wait for, if that
   * is later. A job in progress counts with the end of its lease, which is in the future, and
   * one whose worker died with the end of the expired lease.
   */
  oldestDueAt(queue: string): Promise<Date | null>;
  /**
   * Number of jobs in the queue, including leased and excluding failed ones; `max` when there are
   * more, of which no more are read.
   */
  countJobs(queue: string, max?: number): Promise<number>;
  /** Unfinished jobs, of one queue or of all, by due time, ties by id. */
  listJobs(page: Page, queue?: string): Promise<PageOf<PendingJob>>;
  /** Number of failed jobs, of one queue or of all; `max` when there are more. */
  countFailedJobs(queue?: string, max?: number): Promise<number>;
  /** Failed jobs of one queue or of all, latest failure first, ties by id descending. */
  listFailedJobs(page: Page, queue?: string): Promise<PageOf<FailedJob>>;
}

/** Writes of the tables of jobs and of failed jobs. */
export interface JobWrites {
  enqueueJobs(jobs: readonly NewJob[]): Promise<void>;
  /**
   * Stores the job unless one with its id exists, which then stays unchanged; returns whether it was
   * stored.
   */
  ensureJob(job: NewJob): Promise<boolean>;
  /**
   * Sets how the jobs of a group are claimed; without limit and order, as those of every group. The rule is removed with its
   * tenant. The commit wakes the workers of the queue.
   */
  setJobGroup(group: JobGroup, rule: JobGroupRule): Promise<void>;
  /**
   * Leases due jobs and counts an attempt for each. Tenants take turns, and the groups of a tenant
   * take its turns in turn, both by name and beginning after those of `turns`; within a group the
   * oldest job is first, ties by id. The result is in the order of the turns. Of several workers that claim
   * concurrently each gets different jobs; a job with an expired lease is returned again, marked as
   * abandoned. Of suspects (repeatedly abandoned jobs) a claim returns one at most. May return
   * fewer jobs than are due; an empty result means that no due job is within the capacities, or that
   * concurrent claims hold those that are, or that their groups' limits are used up. The cost depends on the number of tenants and groups with
   * jobs, not on the number of jobs.
   */
  claimJobs(request: ClaimRequest): Promise<LeasedJob[]>;
  /**
   * Extends those of the leases that are still held; returns the ids of their jobs. Leaves out a job
   * that a concurrent transaction is changing: mostly it stores the job's result, with many others.
   */
  renewJobs(leases: readonly HeldLease[], leaseUntil: Date): Promise<string[]>;
  /**
   * Makes the jobs of a queue that are due later than `after` due at `dueAt`, leased ones with the end of their
   * lease; returns their number.
   */
  bringForwardJobs(queue: string, after: Date, dueAt: Date): Promise<number>;
  /** Deletes the jobs whose leases are still held; returns their ids. */
  finishJobs(leases: readonly HeldLease[]): Promise<string[]>;
  /**
   * Ends the lease and makes the job due at `dueAt`; `error` is the attempt's error, or null (the
   * default) if it did not fail, which sets the number of attempts to 0. False, and no change, when
   * the lease was lost.
   */
  rescheduleJob(
    id: string,
    leaseToken: string,
    dueAt: Date,
    error?: string | null,
  ): Promise<boolean>;
  /**
   * Moves a job to the failed ones, replacing an earlier failed job with its id. False, and no
   * change, when the lease was lost.
   */
  failJob(id: string, leaseToken: string, failure: JobFailure): Promise<boolean>;
  /**
   * Makes failed jobs due at `dueAt` with no attempts counted and returns their ids. Of several
   * concurrent calls each gets different jobs. A failed job whose id a stored job has by now is
   * deleted: that job stays unchanged and its id is not returned.
   */
  retryFailedJobs(ids: readonly string[], dueAt: Date): Promise<string[]>;
  /** Does the same for a batch of a queue. Jobs that a concurrent call is taking are left to it. */
  retryFailedBatch(batch: FailedJobBatch, dueAt: Date): Promise<RetriedBatch>;
  /** Deletes up to `limit` jobs that failed before `before`, oldest first; returns their number. */
  deleteFailedJobs(before: Date, limit: number): Promise<number>;
  /**
   * Deletes those of the jobs that no worker has in progress, and returns their number. Leased ones
   * stay, so that the result of work in progress can be stored; failed ones stay too.
   *
   * @param ids a batch, at most about 500
   */
  dropJobs(ids: readonly string[]): Promise<number>;
}
