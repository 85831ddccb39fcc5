import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ClaimRequest, LeasedJob } from './storage.ts';
import type { SuspectsInHand } from './suspects.ts';
import { isSuspect } from './suspects.ts';

/** Limits of the jobs that a worker has in progress. */
interface ConcurrencyLimits {
  readonly concurrency: number;
  readonly groupConcurrency: number;
  readonly startConcurrency: number;
  readonly tenantShare: number;
  readonly slowAfterMs: number;
  readonly hardLimit: number;
  /** Attempts after which a suspect is processed without others. */
  readonly aloneAfterAttempts: number;
}

interface Entry {
  readonly job: LeasedJob;
  readonly startedAtMs: number;
  isWaiting: boolean;
  isLost: boolean;
  ended: Promise<void>;
}

/**
 * Milliseconds until a job no longer counts as starting, whatever its handler says: a connection
 * that is not accepted takes no processor time either.
 */
export const START_MS = 100;

/**
 * Limit of a group with a slow job, or whose last one was slow, so that many slow groups fit under the hard limit
 * and do not all begin many jobs when their slow ones end.
 */
const SLOW_GROUP_LIMIT = 2;

/** Share of `concurrency` that may start at once while jobs start cheaply. */
const CHEAP_START_SHARE = 0.5;

/** Number of slow groups that are remembered. */
const REMEMBERED_GROUPS = 10_000;

/** How many more jobs a worker may take, at the time of the call that returned it. */
export interface FreePlaces
  extends Required<Pick<ClaimRequest, 'limit' | 'groupCapacity' | 'tenantCapacity'>> {
  /** Number of jobs that start. */
  readonly starting: number;
}

/** The jobs in progress of a tenant, or of one of its groups. */
interface InHand {
  all: number;
  slow: number;
  starting: number;
}

const none = (): InHand => ({ all: 0, slow: 0, starting: 0 });

/** The jobs that a worker has in progress, and how many more it may take. */
export class JobsInHand {
  readonly #clock: Clock;
  readonly #limits: ConcurrencyLimits;
  /** By claim: a job may be claimed again before its former attempt is removed. */
  readonly #entries = new Map<LeasedJob, Entry>();
  /** Groups whose last job to end was slow. */
  readonly #slowGroups = new LRUCache<string, true>({ max: REMEMBERED_GROUPS });
  /** Number of jobs that may start at once: more than `startConcurrency` while they start cheaply. */
  #startLimit: number;

  constructor(clock: Clock, limits: ConcurrencyLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#startLimit = limits.startConcurrency;
  }

  /** The jobs in progress. */
  get jobs(): LeasedJob[] {
    return [...this.#entries.keys()];
  }

  /** Ids of the jobs in progress. */
  get ids(): ReadonlySet<string> {
    return new Set(this.jobs.map(({ id }) => id));
  }

  /** Number of jobs in progress that are not slow. */
  get quick(): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (!this.#isSlow(entry)) count += 1;
    return count;
  }

  /** Those that may have ended their previous workers. */
  get suspects(): SuspectsInHand {
    const suspects = [...this.#entries.values()].filter(({ job }) => isSuspect(job));
    const recent = suspects.filter((entry) => !this.#isSlow(entry));
    return {
      jobs: suspects.map(({ job }) => job),
      recentTenants: new Set(recent.map(({ job }) => job.tenantId)),
      aloneAfterAttempts: this.#limits.aloneAfterAttempts,
    };
  }

  /** Counts a job as in progress until `work` settles. */
  add(job: LeasedJob, work: () => Promise<void>): void {
    const startedAtMs = this.#clock.monotonicMs();
    const entry: Entry = {
      job,
      startedAtMs,
      isWaiting: false,
      isLost: false,
      ended: Promise.resolve(),
    };
    this.#entries.set(job, entry);
    entry.ended = work();
  }

  /**
   * Counts a job as one that waits for another system.
   *
   * @param job the object given to `add`
   * @param isCheap whether its start took little processor time
   */
  setWaiting(job: LeasedJob, isCheap: boolean): void {
    const entry = this.#entries.get(job);
    if (entry) entry.isWaiting = true;
    const { concurrency, startConcurrency } = this.#limits;
    const most = Math.max(startConcurrency, Math.floor(concurrency * CHEAP_START_SHARE));
    this.#startLimit = isCheap
      ? Math.min(this.#startLimit + 1, most)
      : Math.max(Math.floor(this.#startLimit / 2), startConcurrency);
  }

  /**
   * Its lease was lost: the stored job may be due, and waits for this attempt to end.
   *
   * @param job the object given to `add`
   */
  setLost(job: LeasedJob): void {
    const entry = this.#entries.get(job);
    if (entry) entry.isLost = true;
  }

  /** @param job the object given to `add` */
  remove(job: LeasedJob): void {
    const entry = this.#entries.get(job);
    this.#entries.delete(job);
    const key = groupKey(job.group, job.tenantId);
    if (entry && this.#isSlow(entry)) this.#slowGroups.set(key, true);
    else this.#slowGroups.delete(key);
  }

  /**
   * Whether due jobs may wait for this one to end or to wait itself: a limit that it counts for is reached.
   *
   * @param job the object given to `add`
   */
  isAwaited(job: LeasedJob): boolean {
    if (job.isOrdered || isSuspect(job) || this.#entries.get(job)?.isLost) return true;
    const { limit, groupCapacity, tenantCapacity } = this.freePlaces();
    if (limit === 0 || groupCapacity(job.group, job.tenantId) === 0) return true;
    // The fewer jobs a tenant has in progress, the more the others may have.
    const tenants = new Set(this.jobs.map(({ tenantId }) => tenantId));
    return [...tenants].some((tenantId) => tenantCapacity(tenantId, 0) === 0);
  }

  /**
   * Whether half of the places of jobs that start are free, or none starts. Those that start end or wait within a
   * few milliseconds, so that a claim can as well take several jobs as one.
   */
  get maySeveralStart(): boolean {
    const { starting } = this.freePlaces();
    return starting === 0 || starting <= this.#startLimit / 2;
  }

  /** Resolves when every job in progress at the time of the call has ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  /** How many more jobs may be taken now. */
  freePlaces(): FreePlaces {
    const total = none();
    const byTenant = new Map<string | null, { count: InHand; groups: Map<string, InHand> }>();
    for (const entry of this.#entries.values()) {
      const { tenantId, group } = entry.job;
      const tenant = byTenant.get(tenantId) ?? { count: none(), groups: new Map() };
      byTenant.set(tenantId, tenant);
      const ofGroup = tenant.groups.get(group) ?? none();
      tenant.groups.set(group, ofGroup);
      const isSlow = this.#isSlow(entry);
      const isStarting = !entry.isWaiting && this.#ageMs(entry) < START_MS;
      for (const count of [total, tenant.count, ofGroup]) {
        count.all += 1;
        if (isSlow) count.slow += 1;
        if (isStarting) count.starting += 1;
      }
    }
    return {
      limit: this.#freeAmong(total),
      starting: total.starting,
      groupCapacity: (group, tenantId) =>
        this.#groupCapacity(
          byTenant.get(tenantId)?.groups.get(group),
          this.#slowGroups.has(groupKey(group, tenantId)),
        ),
      tenantCapacity: (tenantId, ofOthers) =>
        this.#tenantCapacity(total, byTenant.get(tenantId)?.count, ofOthers),
    };
  }

  #ageMs({ startedAtMs }: Entry): number {
    return this.#clock.monotonicMs() - startedAtMs;
  }

  #isSlow(entry: Entry): boolean {
    return this.#ageMs(entry) > this.#limits.slowAfterMs;
  }

  #freeAmong({ all, slow, starting }: InHand): number {
    const { concurrency, hardLimit } = this.#limits;
    const free = [concurrency - (all - slow), hardLimit - all, this.#startLimit - starting];
    return Math.max(0, Math.min(...free));
  }

  #groupCapacity({ all, slow } = none(), wasSlow: boolean): number {
    const { groupConcurrency } = this.#limits;
    const limit =
      slow > 0 || wasSlow ? Math.min(SLOW_GROUP_LIMIT, groupConcurrency) : groupConcurrency;
    return Math.max(0, limit - all);
  }

  /**
   * A tenant uses at most a share of the places that others do not use, so that some are always free
   * for a tenant that has none.
   */
  #tenantCapacity(total: InHand, own = none(), ofOthers: number): number {
    const { concurrency, hardLimit, tenantShare } = this.#limits;
    const most = (limit: number, others: number) =>
      Math.max(1, Math.floor(tenantShare * (limit - others - ofOthers)));
    const ownQuick = own.all - own.slow;
    const quick = most(concurrency, total.all - total.slow - ownQuick) - ownQuick;
    const all = most(hardLimit, total.all - own.all) - own.all;
    const starting = most(this.#startLimit, total.starting - own.starting) - own.starting;
    return Math.max(0, Math.min(quick, all, starting));
  }
}

function groupKey(group: string, tenantId: string | null): string {
  return JSON.stringify([tenantId, group]);
}
