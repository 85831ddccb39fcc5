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
  /** The counts in which it is: of all jobs, of its tenant and of its group. */
  readonly counts: readonly InHand[];
  isStarting: boolean;
  isSlow: boolean;
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

/** Number of slow groups that are remembered. */
const REMEMBERED_GROUPS = 10_000;

/** How many more jobs a worker may take, at the time of the call that returned it. */
export interface FreePlaces
  extends Required<Pick<ClaimRequest, 'limit' | 'groupCapacity' | 'tenantCapacity'>> {
  /** Number of jobs that start. */
  readonly starting: number;
}

/** Numbers of jobs in progress: of all, of a tenant, or of one of its groups. */
interface InHand {
  all: number;
  slow: number;
  starting: number;
}

interface TenantInHand {
  readonly count: InHand;
  readonly groups: Map<string, InHand>;
}

const none = (): InHand => ({ all: 0, slow: 0, starting: 0 });

/** The jobs that a worker has in progress, and how many more it may take. */
export class JobsInHand {
  readonly #clock: Clock;
  readonly #limits: ConcurrencyLimits;
  /** By claim: a job may be claimed again before its former attempt is removed. */
  readonly #entries = new Map<LeasedJob, Entry>();
  /** Counted as they change: with many jobs in progress, each is added, changed and removed at every moment. */
  readonly #total = none();
  readonly #byTenant = new Map<string | null, TenantInHand>();
  /** Those that are not slow, and those that start, in the order of their beginning. */
  readonly #quick = new Set<Entry>();
  readonly #starting = new Set<Entry>();
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
    this.#countAges();
    return this.#quick.size;
  }

  /** Those that may have ended their previous workers. */
  get suspects(): SuspectsInHand {
    this.#countAges();
    const suspects = [...this.#entries.values()].filter(({ job }) => isSuspect(job));
    const recent = suspects.filter(({ isSlow }) => !isSlow);
    return {
      jobs: suspects.map(({ job }) => job),
      recentTenants: new Set(recent.map(({ job }) => job.tenantId)),
      aloneAfterAttempts: this.#limits.aloneAfterAttempts,
    };
  }

  /** Counts a job as in progress until `work` settles. */
  add(job: LeasedJob, work: () => Promise<void>): void {
    const entry: Entry = {
      job,
      startedAtMs: this.#clock.monotonicMs(),
      counts: this.#countsOf(job),
      isStarting: true,
      isSlow: false,
      isLost: false,
      ended: Promise.resolve(),
    };
    this.#entries.set(job, entry);
    this.#quick.add(entry);
    this.#starting.add(entry);
    for (const count of entry.counts) {
      count.all += 1;
      count.starting += 1;
    }
    entry.ended = work();
  }

  /**
   * Counts a job as one that waits for another system. Returns whether that frees a place that due jobs may wait for.
   *
   * @param job the object given to `add`
   * @param isCheap whether its start took little processor time
   */
  setWaiting(job: LeasedJob, isCheap: boolean): boolean {
    return this.#freeing(job, (entry) => {
      if (entry) this.#setStarted(entry);
      const { concurrency, startConcurrency } = this.#limits;
      this.#startLimit = isCheap
        ? Math.min(this.#startLimit + 1, Math.max(startConcurrency, concurrency))
        : Math.max(Math.floor(this.#startLimit / 2), startConcurrency);
    });
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

  /**
   * Ends the counting of a job. Returns whether that frees a place that due jobs may wait for.
   *
   * @param job the object given to `add`
   */
  remove(job: LeasedJob): boolean {
    const isFreed = this.#freeing(job, (entry) => {
      const key = groupKey(job.group, job.tenantId);
      if (entry?.isSlow) this.#slowGroups.set(key, true);
      else this.#slowGroups.delete(key);
      if (entry) this.#removeEntry(entry);
    });
    // The next one of the group may be claimed, whatever the limits.
    return isFreed || job.isOrdered;
  }

  /** Whether a change of the job ends what kept a due job from being claimed. */
  #freeing(job: LeasedJob, change: (entry: Entry | undefined) => void): boolean {
    this.#countAges();
    const entry = this.#entries.get(job);
    if (isSuspect(job) || entry?.isLost) {
      change(entry);
      return true;
    }
    const wasFull = this.#freeAmong(this.#total) === 0;
    const wasGroupFull = this.#capacityOf(job.group, job.tenantId) === 0;
    // The fewer jobs a tenant has in progress, the more the others may have.
    const fullTenants = [...this.#byTenant.keys()].filter((key) => this.#isTenantFull(key));
    change(entry);
    return (
      (wasFull && this.#freeAmong(this.#total) > 0) ||
      (wasGroupFull && this.#capacityOf(job.group, job.tenantId) > 0) ||
      fullTenants.some((tenantId) => !this.#isTenantFull(tenantId))
    );
  }

  /**
   * Whether half of the places of jobs that start are free, or none starts. Those that start end or wait within a
   * few milliseconds, so that a claim can as well take several jobs as one.
   */
  get maySeveralStart(): boolean {
    this.#countAges();
    const { starting } = this.#total;
    return starting === 0 || starting <= this.#startLimit / 2;
  }

  /** Resolves when every job in progress at the time of the call has ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ ended }) => ended));
  }

  /** How many more jobs may be taken now. */
  freePlaces(): FreePlaces {
    this.#countAges();
    return {
      limit: this.#freeAmong(this.#total),
      starting: this.#total.starting,
      groupCapacity: (group, tenantId) => this.#capacityOf(group, tenantId),
      tenantCapacity: (tenantId, ofOthers) => this.#tenantCapacity(tenantId, ofOthers),
    };
  }

  #countsOf({ tenantId, group }: LeasedJob): InHand[] {
    const tenant = this.#byTenant.get(tenantId) ?? { count: none(), groups: new Map() };
    this.#byTenant.set(tenantId, tenant);
    const ofGroup = tenant.groups.get(group) ?? none();
    tenant.groups.set(group, ofGroup);
    return [this.#total, tenant.count, ofGroup];
  }

  /** Counts those that have become slow, or too old to start, since the last call. */
  #countAges(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const entry of this.#starting) {
      if (nowMs - entry.startedAtMs < START_MS) break;
      this.#setStarted(entry);
    }
    for (const entry of this.#quick) {
      if (nowMs - entry.startedAtMs <= this.#limits.slowAfterMs) break;
      entry.isSlow = true;
      this.#quick.delete(entry);
      for (const count of entry.counts) count.slow += 1;
    }
  }

  #setStarted(entry: Entry): void {
    if (!entry.isStarting) return;
    entry.isStarting = false;
    this.#starting.delete(entry);
    for (const count of entry.counts) count.starting -= 1;
  }

  #removeEntry(entry: Entry): void {
    this.#setStarted(entry);
    this.#quick.delete(entry);
    const { tenantId, group } = entry.job;
    this.#entries.delete(entry.job);
    for (const count of entry.counts) {
      count.all -= 1;
      if (entry.isSlow) count.slow -= 1;
    }
    const tenant = this.#byTenant.get(tenantId);
    if (tenant?.groups.get(group)?.all === 0) tenant.groups.delete(group);
    if (tenant?.count.all === 0) this.#byTenant.delete(tenantId);
  }

  #freeAmong({ all, slow, starting }: InHand): number {
    const { concurrency, hardLimit } = this.#limits;
    const free = [concurrency - (all - slow), hardLimit - all, this.#startLimit - starting];
    return Math.max(0, Math.min(...free));
  }

  #capacityOf(group: string, tenantId: string | null): number {
    const { groupConcurrency } = this.#limits;
    const { all, slow } = this.#byTenant.get(tenantId)?.groups.get(group) ?? none();
    const isLimited = slow > 0 || this.#slowGroups.has(groupKey(group, tenantId));
    const limit = isLimited ? Math.min(SLOW_GROUP_LIMIT, groupConcurrency) : groupConcurrency;
    return Math.max(0, limit - all);
  }

  #isTenantFull(tenantId: string | null): boolean {
    return this.#tenantCapacity(tenantId, 0) === 0;
  }

  /**
   * A tenant uses at most a share of the places that others do not use, so that some are always free
   * for a tenant that has none.
   */
  #tenantCapacity(tenantId: string | null, ofOthers: number): number {
    const total = this.#total;
    const own = this.#byTenant.get(tenantId)?.count ?? none();
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
  // The length tells where the tenant's id ends.
  return `${tenantId?.length ?? ''} ${tenantId ?? ''}${group}`;
}
