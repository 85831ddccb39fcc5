import type { Clock } from '../clock.ts';
import type { LeasedJob } from './storage.ts';
import { isSuspect } from './suspects.ts';

/** Limits of the jobs that a worker has in progress. */
interface ConcurrencyLimits {
  readonly concurrency: number;
  readonly groupConcurrency: number;
  readonly slowAfterMs: number;
  readonly hardLimit: number;
}

interface Entry {
  readonly job: LeasedJob;
  readonly startedAtMs: number;
  ended: Promise<void>;
}

/** Limit of a group with a slow job, so that many slow groups fit under the hard limit. */
const SLOW_GROUP_LIMIT = 2;

/** The jobs that a worker has in progress, and how many more it may take. */
export class JobsInHand {
  readonly #clock: Clock;
  readonly #limits: ConcurrencyLimits;
  /** By claim: a job may be claimed again before its former attempt is removed. */
  readonly #entries = new Map<LeasedJob, Entry>();

  constructor(clock: Clock, limits: ConcurrencyLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The jobs in progress. */
  get jobs(): LeasedJob[] {
    return [...this.#entries.keys()];
  }

  /** Ids of the jobs in progress. */
  get ids(): ReadonlySet<string> {
    return new Set(this.jobs.map(({ id }) => id));
  }

  /** Whether one of them may have ended its previous workers. */
  get hasSuspect(): boolean {
    return this.jobs.some(isSuspect);
  }

  /** Counts a job as in progress until `work` settles. */
  add(job: LeasedJob, work: () => Promise<void>): void {
    const entry = { job, startedAtMs: this.#clock.monotonicMs(), ended: Promise.resolve() };
    this.#entries.set(job, entry);
    entry.ended = work();
  }

  /** @param job the object given to `add` */
  remove(job: LeasedJob): void {
    this.#entries.delete(job);
  }

  /** Resolves when every job in progress at the time of the call has ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  /** Number of further jobs that may be taken. */
  freeSlots(): number {
    const { concurrency, hardLimit } = this.#limits;
    let quick = 0;
    for (const entry of this.#entries.values()) if (!this.#isSlow(entry)) quick += 1;
    return Math.max(0, Math.min(concurrency - quick, hardLimit - this.#entries.size));
  }

  /** Number of further jobs of the group that may be taken. */
  groupCapacity(group: string): number {
    const { groupConcurrency } = this.#limits;
    let inHand = 0;
    let isSlow = false;
    for (const entry of this.#entries.values()) {
      if (entry.job.group !== group) continue;
      inHand += 1;
      isSlow ||= this.#isSlow(entry);
    }
    const limit = isSlow ? Math.min(SLOW_GROUP_LIMIT, groupConcurrency) : groupConcurrency;
    return Math.max(0, limit - inHand);
  }

  /** The groups that are at their limit. */
  fullGroups(): string[] {
    const groups = new Set(this.jobs.map(({ group }) => group));
    return [...groups].filter((group) => this.groupCapacity(group) === 0);
  }

  #isSlow(entry: Entry): boolean {
    return this.#clock.monotonicMs() - entry.startedAtMs > this.#limits.slowAfterMs;
  }
}
