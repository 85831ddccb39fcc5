/** A piece of background work to be stored in the transaction that makes it necessary. */
export interface NewJob {
  readonly id: string;
  /** Which worker does it, such as `webhooks.deliver`. */
  readonly queue: string;
  /** Jobs of one lane share a limit of concurrency, so that a slow lane holds up nobody else. */
  readonly lane: string;
  /**
   * Small JSON that tells the worker what to do; the facts stay in the package's own tables. The
   * event that a member `eventId` names is kept for as long as the job is stored.
   */
  readonly payload: Readonly<Record<string, string>>;
  readonly dueAt: Date;
}

/** A job that a worker holds until its lease runs out. */
export interface LeasedJob extends NewJob {
  /** The end of the lease. */
  readonly dueAt: Date;
  readonly leaseToken: string;
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
  /** How many jobs of this lane may be given now; 0 leaves the lane out. */
  laneCapacity(lane: string): number;
}

/** Reads of the job table. */
export interface JobReads {
  /**
   * When the next job of the queue is due, leaving out the named lanes; null when there is none.
   * Leased jobs count with the end of their lease.
   */
  nextDueAt(queue: string, excludedLanes: readonly string[]): Promise<Date | null>;
  /** How many jobs the queue holds, leased ones included. */
  countJobs(queue: string): Promise<number>;
}

/** Changes of the job table. */
export interface JobWrites {
  enqueueJobs(jobs: readonly NewJob[]): Promise<void>;
  /** Stores the job unless there is one with its id, which then stays as it is. */
  ensureJob(job: NewJob): Promise<void>;
  /**
   * Leases due jobs, oldest first. Of several workers that claim at once each gets other jobs; a
   * job whose lease has run out is given again. May give fewer than there are; an empty answer
   * means that no due job is within the lanes' capacity.
   */
  claimJobs(request: ClaimRequest): Promise<LeasedJob[]>;
  /** Moves the end of the leases that this token still holds; answers the ids of those jobs. */
  renewJobs(ids: readonly string[], leaseToken: string, leaseUntil: Date): Promise<string[]>;
  /** Removes a job. False, and no change, when the lease was lost. */
  finishJob(id: string, leaseToken: string): Promise<boolean>;
  /** Ends the lease and makes the job due at `dueAt`. False, and no change, when the lease was lost. */
  rescheduleJob(id: string, leaseToken: string, dueAt: Date): Promise<boolean>;
  /**
   * Removes the jobs of a lane that nobody has in hand, and answers how many. Leased ones stay, so
   * that the result of work that is being done can be stored.
   */
  dropLane(queue: string, lane: string): Promise<number>;
}
