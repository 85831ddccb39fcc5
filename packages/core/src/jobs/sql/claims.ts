import { sql } from 'kysely';
import { isAmong } from '../../sql/is-among.ts';
import { prepareSql } from '../../sql/prepared-query.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Candidate } from '../fair-choice.ts';
import { FairChoice, toTenantId, toTenantKey } from '../fair-choice.ts';
import type { ClaimRequest, LeasedJob } from '../storage.ts';
import { LEASE_RAN_OUT } from '../storage.ts';
import type { DueReads, FoundGroup, GroupTurn, Lane } from './due.ts';
import { createDueReads } from './due.ts';
import { countStarts, GroupRules, nextInOrder } from './groups.ts';
import type { JobRow } from './rows.ts';
import { toLeasedJob } from './rows.ts';

/** A claim that reads all due jobs reads at most as many as it wants, or so many. */
const MINIMUM_READ = 16;

/** Number of groups of a tenant looked up at a time when the first ones have no capacity left. */
const GROUP_PAGE = 64;

/** A row as the choice sees it. */
interface CandidateRow extends Candidate {
  readonly row: JobRow;
}

/**
 * Chooses among all due jobs when they are few; otherwise among those of the tenants and groups
 * whose turns are next, which are looked up by index however many jobs are due.
 */
export async function claimJobs(session: SqlSession, request: ClaimRequest): Promise<LeasedJob[]> {
  const rules = new GroupRules(request.now);
  const choice = new FairChoice<CandidateRow>({
    ...request,
    groupCapacity: (group, tenantId) =>
      Math.min(request.groupCapacity(group, tenantId), rules.left(toTenantKey(tenantId), group)),
  });
  const due = createDueReads(session, request);
  const few = Math.max(MINIMUM_READ, request.limit);
  // Counted first: rows of a backlog would be locked, which PostgreSQL writes to disk, and not chosen.
  const claim: Claim = { session, request, due, choice, rules };
  if (await due.hasAtLeast(few)) {
    await chooseFromBacklog(claim);
  } else {
    const passedOver = request.passedOver ?? new Set();
    const oldest = (await due.oldestRows(few)).filter(
      ({ tenant_id }) => !passedOver.has(toTenantId(tenant_id)),
    );
    for (const row of oldest) rules.add(row.tenant_id, row.group_key, row);
    choice.take((await inOrder(claim, oldest)).map(toCandidate));
  }
  const all = choice.chosen.map(({ row }) => row);
  const chosen = rules.isEmpty ? all : await withinRules(session, request, rules, all);
  if (chosen.length > 0) await lease(session, request, chosen);
  return chosen.map((row) =>
    toLeasedJob(row, request, rules.isOrdered(row.tenant_id, row.group_key)),
  );
}

/** Counts the jobs of groups with a rule, and leaves out those for which another claim leaves no room. */
async function withinRules(
  session: SqlSession,
  { queue, now }: ClaimRequest,
  rules: GroupRules,
  rows: readonly JobRow[],
): Promise<JobRow[]> {
  const groups = new Map<string, JobRow[]>();
  for (const row of rows) {
    if (!rules.has(row.tenant_id, row.group_key)) continue;
    const key = JSON.stringify([row.tenant_id, row.group_key]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const excess = new Set<JobRow>();
  // In one order, so that two claims do not wait for each other.
  for (const [, ofGroup] of [...groups].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const [{ tenant_id: tenant, group_key: group }] = ofGroup as [JobRow, ...JobRow[]];
    const jobIds = ofGroup.map(({ id }) => id);
    const count = await countStarts(session, { queue, tenant, group }, now, jobIds);
    for (const row of ofGroup.slice(count)) excess.add(row);
  }
  return rows.filter((row) => !excess.has(row));
}

/** Leaves out what is in hand, and of each ordered group all but the job that is next. */
async function inOrder(claim: Claim, rows: readonly JobRow[]): Promise<JobRow[]> {
  const { request, rules } = claim;
  const isOrdered = ({ tenant_id, group_key }: JobRow) => rules.isOrdered(tenant_id, group_key);
  const lanes = new Map(
    rows
      .filter(isOrdered)
      .map(({ tenant_id: tenant, group_key: group }) => [
        JSON.stringify([tenant, group]),
        { tenant, group },
      ]),
  );
  const next = await nextOfEach(claim, [...lanes.values()]);
  return [...rows.filter((row) => !isOrdered(row)), ...next].filter(
    ({ id }) => !request.excludedIds?.has(id),
  );
}

/** The next job of each of these ordered groups, of those that have one. */
async function nextOfEach(
  { session, request: { queue, now } }: Claim,
  groups: ReadonlyArray<Pick<Lane, 'tenant' | 'group'>>,
): Promise<JobRow[]> {
  const rows: JobRow[] = [];
  for (const { tenant, group } of groups) {
    const row = await nextInOrder(session, { queue, tenant, group }, now);
    if (row) rows.push(row);
  }
  return rows;
}

/** What a claim reads and chooses. */
interface Claim {
  readonly session: SqlSession;
  readonly request: ClaimRequest;
  readonly due: DueReads;
  readonly choice: FairChoice<CandidateRow>;
  readonly rules: GroupRules;
}

/** Goes through the tenants with due jobs, beginning after the one that had the last turn. */
async function chooseFromBacklog(claim: Claim): Promise<void> {
  const { due, choice } = claim;
  const { lastTenant } = choice;
  const page = Math.max(MINIMUM_READ, choice.wanted);
  const first = await due.tenants(null, page);
  // Mostly these are all.
  if (first.length < page) return chooseFromTenants(claim, first);
  let after = lastTenant ?? null;
  let hasWrapped = lastTenant === undefined;
  while (choice.wanted > 0) {
    const found = await due.tenants(after, page);
    // After the wrap, the tenants after the last one have been gone through.
    const end = hasWrapped && lastTenant !== undefined ? found.indexOf(lastTenant) + 1 : 0;
    await chooseFromTenants(claim, end > 0 ? found.slice(0, end) : found);
    if (found.length === page && end === 0) {
      after = found.at(-1) ?? null;
    } else if (hasWrapped) {
      return;
    } else {
      hasWrapped = true;
      after = null;
    }
  }
}

/** Gives each tenant an equal share of what is wanted, and what is left over to those with more. */
async function chooseFromTenants(claim: Claim, tenants: readonly string[]): Promise<void> {
  const { due, choice, request } = claim;
  let active = tenants.filter((tenant) => !request.passedOver?.has(toTenantId(tenant)));
  while (choice.wanted > 0) {
    active = active.filter((tenant) => choice.tenantCapacity(tenant) > 0);
    if (active.length === 0) return;
    const share = Math.ceil(choice.wanted / active.length);
    const lanes = await nextLanes(claim, active, share);
    const admitted = new Set(lanes.map(({ tenant }) => tenant));
    for (const tenant of active) if (!admitted.has(tenant)) request.onFull?.(toTenantId(tenant));
    const chosen = choice.chosen.map(({ row }) => row.id);
    const isOrdered = ({ tenant, group }: Lane) => claim.rules.isOrdered(tenant, group);
    const ordered = await nextOfEach(claim, lanes.filter(isOrdered));
    const rows = [
      ...(await due.rows(
        lanes.filter((lane) => !isOrdered(lane)),
        chosen,
      )),
      ...ordered.filter(({ id }) => !claim.request.excludedIds?.has(id)),
    ];
    if (choice.take(rows.map(toCandidate)) === 0) return;
    // Those of which a group may have more jobs than were read.
    const counts = countBy(rows, laneKey);
    const isExhausted = (lane: Lane) =>
      isOrdered(lane) || (counts.get(laneKeyOf(lane)) ?? 0) < lane.wanted;
    const more = new Set(lanes.filter((lane) => !isExhausted(lane)).map(({ tenant }) => tenant));
    active = active.filter((tenant) => more.has(tenant));
  }
}

/** Groups are looked up after the last turn's first, then from the first one on. */
interface LaneSearch extends GroupTurn {
  readonly hasWrapped: boolean;
}

/** The next groups of each tenant that have capacity left, with the number of jobs to read of each. */
async function nextLanes(
  { due, choice, rules }: Claim,
  tenants: readonly string[],
  share: number,
): Promise<Lane[]> {
  const found = new Map<string, Map<string, number>>(tenants.map((key) => [key, new Map()]));
  /** Adds what has capacity of these groups; returns whether there are enough. */
  const admit = (tenant: string, groups: readonly FoundGroup[]) => {
    const lanes = found.get(tenant) ?? new Map<string, number>();
    for (const { name: group, ...rule } of groups) {
      rules.add(tenant, group, rule);
      const capacity = choice.groupCapacity(tenant, group);
      if (capacity > 0 && lanes.size < share) lanes.set(group, capacity);
    }
    return lanes.size >= share;
  };
  let turns = tenants.map((tenant): LaneSearch => {
    const after = choice.lastGroupOf(tenant) ?? null;
    return { tenant, after, hasWrapped: after === null };
  });
  if (share >= MINIMUM_READ) {
    // Mostly a page has all groups of a tenant, those after the last turn's and those before.
    const pages = await due.groups(
      tenants.map((tenant) => ({ tenant, after: null })),
      share,
    );
    turns = turns.filter(({ tenant, after }) => {
      const groups = pages.get(tenant) ?? [];
      if (groups.length < share) admit(tenant, rotated(groups, after));
      return groups.length >= share;
    });
  }
  for (let page = share; turns.length > 0; page = GROUP_PAGE) {
    const groups = await due.groups(turns, page);
    turns = turns.flatMap((turn): LaneSearch[] => {
      const seen = groups.get(turn.tenant) ?? [];
      if (admit(turn.tenant, seen)) return [];
      if (seen.length === page) return [{ ...turn, after: (seen.at(-1) as FoundGroup).name }];
      return turn.hasWrapped ? [] : [{ ...turn, after: null, hasWrapped: true }];
    });
  }
  return [...found].flatMap(([tenant, lanes]) => {
    const most = Math.ceil(share / Math.max(1, lanes.size));
    return [...lanes].map(([group, capacity]) => ({
      tenant,
      group,
      wanted: Math.min(capacity, most),
      mostAttempts: choice.mostAttempts(tenant),
    }));
  });
}

/** The groups after this one first. */
function rotated(groups: readonly FoundGroup[], after: string | null): readonly FoundGroup[] {
  const index = after === null ? 0 : groups.findIndex(({ name }) => name > after);
  return index <= 0 ? groups : [...groups.slice(index), ...groups.slice(0, index)];
}

function toCandidate(row: JobRow): CandidateRow {
  return {
    row,
    tenantId: toTenantId(row.tenant_id),
    group: row.group_key,
    isAbandoned: row.lease_token !== null,
    attempts: row.attempts + 1,
  };
}

function laneKey({ tenant_id, group_key }: JobRow): string {
  return laneKeyOf({ tenant: tenant_id, group: group_key });
}

function laneKeyOf({ tenant, group }: Pick<Lane, 'tenant' | 'group'>): string {
  return JSON.stringify([tenant, group]);
}

function countBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}

/** Leases the rows and counts an attempt for each. */
async function lease(
  session: SqlSession,
  { leaseUntil, leaseToken }: ClaimRequest,
  rows: readonly JobRow[],
): Promise<void> {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  await setLeases(session, { ids, dueAt: leaseUntil.getTime(), leaseToken, error: LEASE_RAN_OUT });
}

interface Leases {
  /** As JSON. */
  ids: string;
  dueAt: number;
  leaseToken: string;
  /** Of those that were leased before. */
  error: string;
}

const setLeases = prepareSql<Leases, object>(
  (value, dialect) => sql`
    update probity_jobs set due_at = ${value('dueAt')}, lease_token = ${value('leaseToken')},
      attempts = attempts + 1,
      last_error = case when lease_token is null then last_error else ${value('error')} end
    where ${isAmong(dialect, 'id', value('ids'))}`,
);
