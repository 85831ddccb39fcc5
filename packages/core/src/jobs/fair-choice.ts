import type { ClaimRequest } from './storage.ts';
import type { Attempt } from './suspects.ts';
import { SuspectLimits } from './suspects.ts';

/** What the choice of a claim depends on. */
export interface Candidate extends Attempt {
  readonly group: string;
}

type Limits = Pick<
  ClaimRequest,
  'limit' | 'suspects' | 'groupCapacity' | 'tenantCapacity' | 'turns'
>;

/** The jobs that a claim has chosen so far, in the order of the turns. */
export class FairChoice<Job extends Candidate> {
  readonly chosen: Job[] = [];
  readonly #limits: Limits;
  readonly #chosenOf = new Map<string, { count: number; readonly groups: Map<string, number> }>();
  #lastTenant: string | undefined;
  readonly #lastGroups = new Map<string, string>();
  readonly #suspects: SuspectLimits;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#suspects = new SuspectLimits(limits.suspects);
    const tenantId = limits.turns?.tenantId;
    this.#lastTenant = tenantId === undefined ? undefined : toTenantKey(tenantId);
  }

  /** Number of further jobs wanted. */
  get wanted(): number {
    return this.#limits.limit - this.chosen.length;
  }

  /** Most attempts, the one that begins included, of an abandoned job that may be chosen. */
  mostAttempts(tenantKey: string): number {
    return this.#suspects.mostAttempts(toTenantId(tenantKey));
  }

  /** Key of the tenant that had the last turn; undefined before the first. */
  get lastTenant(): string | undefined {
    return this.#lastTenant;
  }

  /** Group of the tenant that had the last turn; undefined when none is known. */
  lastGroupOf(tenantKey: string): string | undefined {
    return this.#lastGroups.get(tenantKey) ?? this.#limits.turns?.groupOf(toTenantId(tenantKey));
  }

  /** Number of further jobs of the tenant that may be chosen. */
  tenantCapacity(tenantKey: string): number {
    const own = this.#chosenOf.get(tenantKey)?.count ?? 0;
    const { tenantCapacity } = this.#limits;
    if (!tenantCapacity) return this.wanted;
    return tenantCapacity(toTenantId(tenantKey), this.chosen.length - own) - own;
  }

  /** Number of further jobs of the tenant's group that may be chosen. */
  groupCapacity(tenantKey: string, group: string): number {
    const own = this.#chosenOf.get(tenantKey)?.groups.get(group) ?? 0;
    return this.#limits.groupCapacity(group, toTenantId(tenantKey)) - own;
  }

  /** Chooses from due jobs, which are given oldest first; returns the number chosen. */
  take(due: readonly Job[]): number {
    const before = this.chosen.length;
    const lanes = toLanes(due);
    const waiting = rotated([...lanes.keys()].sort(), this.#lastTenant).map((key) => ({
      key,
      lanes: lanes.get(key) ?? new Map<string, Job[]>(),
      groups: rotated([...(lanes.get(key)?.keys() ?? [])].sort(), this.lastGroupOf(key)),
    }));
    while (waiting.length > 0 && this.wanted > 0) {
      const tenant = waiting.shift() as (typeof waiting)[number];
      const job = this.#nextOf(tenant);
      if (!job) continue;
      this.#add(tenant.key, job);
      waiting.push(tenant);
    }
    return this.chosen.length - before;
  }

  /** Capacities only decrease, so what is passed over once is left out from then on. */
  #nextOf(tenant: {
    readonly key: string;
    readonly groups: string[];
    readonly lanes: ReadonlyMap<string, Job[]>;
  }): Job | undefined {
    const { key, groups, lanes } = tenant;
    if (this.tenantCapacity(key) <= 0) return undefined;
    while (groups.length > 0) {
      const group = groups.shift() as string;
      const lane = lanes.get(group) ?? [];
      if (this.groupCapacity(key, group) <= 0) continue;
      const index = lane.findIndex((candidate) => this.#suspects.permits(candidate));
      const [job] = index < 0 ? [] : lane.splice(index, 1);
      if (!job) continue;
      groups.push(group);
      return job;
    }
    return undefined;
  }

  #add(key: string, job: Job): void {
    this.chosen.push(job);
    const ofTenant = this.#chosenOf.get(key) ?? { count: 0, groups: new Map<string, number>() };
    ofTenant.count += 1;
    ofTenant.groups.set(job.group, (ofTenant.groups.get(job.group) ?? 0) + 1);
    this.#chosenOf.set(key, ofTenant);
    this.#lastTenant = key;
    this.#lastGroups.set(key, job.group);
    this.#suspects.add(job);
  }
}

/** The stored form of a tenant's id; work of the installation counts as a tenant. */
export function toTenantKey(tenantId: string | null): string {
  return tenantId ?? '';
}

/** The inverse of {@link toTenantKey}. */
export function toTenantId(tenantKey: string): string | null {
  return tenantKey === '' ? null : tenantKey;
}

function toLanes<Job extends Candidate>(due: readonly Job[]): Map<string, Map<string, Job[]>> {
  const lanes = new Map<string, Map<string, Job[]>>();
  for (const job of due) {
    const key = toTenantKey(job.tenantId);
    const ofTenant = lanes.get(key) ?? new Map<string, Job[]>();
    const lane = ofTenant.get(job.group) ?? [];
    lane.push(job);
    lanes.set(key, ofTenant.set(job.group, lane));
  }
  return lanes;
}

/** The sorted names, beginning with the first one after `last`. */
function rotated(names: string[], last: string | undefined): string[] {
  const index = last === undefined ? 0 : names.findIndex((name) => name > last);
  return index <= 0 ? names : [...names.slice(index), ...names.slice(0, index)];
}
