import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { forUpdate, forUpdateSkipLocked } from '../../sql/dialect.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Starts } from '../starts.ts';
import { afterStarts, STARTS_WINDOW_MS, startsLeft } from '../starts.ts';
import type { JobGroup, JobGroupRule } from '../storage.ts';
import type { JobRow, JobTables } from './rows.ts';
import { JOB_COLUMNS } from './rows.ts';

/** The groups that have a rule. */
interface GroupTables {
  probity_job_groups: GroupRow;
}

interface GroupRow {
  queue: string;
  organization_id: string;
  group_key: string;
  starts_per_second: number | null;
  /** JSON of {@link Starts}. */
  starts: string;
  ordered: number;
  /** Of an ordered group, the job that began last; the later ones wait while it is stored. */
  current_job: string | null;
  /** Time in milliseconds since 1970 before which no job of the group may be claimed; 0 for none. */
  opens_at: number;
  /** Time in milliseconds since 1970 of the last claim; 0 before the first. */
  claimed_at: number;
}

/** Expressions that name a group in a statement. */
export interface GroupReference {
  readonly queue: unknown;
  readonly tenant: unknown;
  readonly group: unknown;
}

/**
 * An expression over the row of a group, null without a row. Not a join, for which PostgreSQL may read all
 * rows: this is one look-up for each group.
 */
export function ofGroup({ queue, tenant, group }: GroupReference, expression: RawBuilder<unknown>) {
  return sql`(
    select ${expression} from probity_job_groups as rules
    where rules.queue = ${queue} and rules.organization_id = ${tenant} and rules.group_key = ${group}
  )`;
}

/** Whether jobs of the group may be claimed at `now`. */
export function isOpen(group: GroupReference, now: unknown): RawBuilder<boolean> {
  const isShut = sql`case
    when opens_at > ${now} and opens_at <= cast(${now} as bigint) + ${sql.lit(STARTS_WINDOW_MS)} then 1
    when ordered = 1 and (select due_at from probity_jobs as current where current.id = current_job) > ${now} then 1
    else 0 end`;
  return sql<boolean>`coalesce(${ofGroup(group, isShut)}, 0) = 0`;
}

/** The columns of {@link RuleColumns}. */
export function ruleColumns(group: GroupReference): RawBuilder<unknown> {
  return sql`
    ${ofGroup(group, sql`starts_per_second`)} as starts_per_second,
    ${ofGroup(group, sql`starts`)} as starts, ${ofGroup(group, sql`ordered`)} as ordered`;
}

/** What a claim reads about the rule of a group; null without a rule. */
export interface RuleColumns {
  readonly starts_per_second: number | null;
  readonly starts: string | null;
  readonly ordered: number | null;
}

/** The number of jobs of groups with a rule that may be claimed, as far as groups were read. */
export class GroupRules {
  readonly #nowMs: number;
  readonly #left = new Map<string, number>();
  readonly #ordered = new Set<string>();

  constructor(now: Date) {
    this.#nowMs = now.getTime();
  }

  /** Whether a group with a rule was read. */
  get isEmpty(): boolean {
    return this.#left.size === 0;
  }

  add(tenant: string, group: string, { starts_per_second, starts, ordered }: RuleColumns): void {
    if (starts === null) return;
    const key = keyOf(tenant, group);
    const most = ordered === 1 ? 1 : Number.POSITIVE_INFINITY;
    const left =
      starts_per_second === null
        ? most
        : startsLeft({ startsPerSecond: starts_per_second, starts: toStarts(starts) }, this.#nowMs);
    this.#left.set(key, Math.min(most, left));
    if (ordered === 1) this.#ordered.add(key);
  }

  isOrdered(tenant: string, group: string): boolean {
    return this.#ordered.has(keyOf(tenant, group));
  }

  has(tenant: string, group: string): boolean {
    return this.#left.has(keyOf(tenant, group));
  }

  /** Infinity without a rule. */
  left(tenant: string, group: string): number {
    return this.#left.get(keyOf(tenant, group)) ?? Number.POSITIVE_INFINITY;
  }
}

/**
 * Counts jobs of a group that are claimed now, and returns how many of them may be: fewer when another
 * claim took its part since the rule was read. Locks the row, so that claims of several workers add up.
 */
export async function countStarts(
  session: SqlSession,
  { queue, tenant, group }: { queue: string; tenant: string; group: string },
  now: Date,
  jobIds: readonly string[],
): Promise<number> {
  const db = session.kysely<GroupTables>();
  const selection = db
    .selectFrom('probity_job_groups')
    .select(['starts_per_second', 'starts', 'ordered'])
    .where('queue', '=', queue)
    .where('organization_id', '=', tenant)
    .where('group_key', '=', group);
  const row = await forUpdate(session.dialect, selection).executeTakeFirst();
  // The rule was removed meanwhile.
  if (!row) return jobIds.length;
  const { count, change } = afterClaim(row, now.getTime(), jobIds);
  if (count === 0) return 0;
  await db
    .updateTable('probity_job_groups')
    .set(change)
    .where('queue', '=', queue)
    .where('organization_id', '=', tenant)
    .where('group_key', '=', group)
    .execute();
  return count;
}

/** How many of the jobs may be claimed now, and the row after that. */
function afterClaim(
  {
    starts_per_second,
    starts,
    ordered,
  }: Pick<GroupRow, 'starts_per_second' | 'starts' | 'ordered'>,
  nowMs: number,
  jobIds: readonly string[],
): { readonly count: number; readonly change: Partial<GroupRow> } {
  const current = ordered === 1 ? { current_job: jobIds[0] ?? null } : {};
  const claim = { ...current, claimed_at: nowMs };
  if (starts_per_second === null) return { count: jobIds.length, change: claim };
  const limit = { startsPerSecond: starts_per_second, starts: toStarts(starts) };
  const count = Math.min(jobIds.length, startsLeft(limit, nowMs));
  const after = afterStarts(limit, nowMs, count);
  const change = { starts: JSON.stringify(after.starts), opens_at: after.opensAtMs };
  return { count, change: { ...change, ...claim } };
}

/**
 * The job of an ordered group that is next, locked, when it is due; null otherwise, and while another claim
 * looks for it. Locks the group's row first: no job of the group is claimed without that lock.
 */
export async function nextInOrder(
  session: SqlSession,
  { queue, tenant, group }: { queue: string; tenant: string; group: string },
  now: Date,
): Promise<JobRow | null> {
  const selection = session
    .kysely<GroupTables>()
    .selectFrom('probity_job_groups')
    .select('current_job')
    .where('queue', '=', queue)
    .where('organization_id', '=', tenant)
    .where('group_key', '=', group)
    .where('ordered', '=', 1);
  const rule = await forUpdateSkipLocked(session.dialect, selection).executeTakeFirst();
  if (!rule) return null;
  const jobs = session.kysely<JobTables>().selectFrom('probity_jobs');
  const current = jobs.select('id').where('id', '=', rule.current_job ?? '');
  const first = jobs
    .select('id')
    .where('queue', '=', queue)
    .where('tenant_id', '=', tenant)
    // Not an equation, and in the order: else PostgreSQL may walk through older jobs of all groups.
    .where('group_key', '>=', group)
    .where('group_key', '<=', group)
    .orderBy('group_key')
    .orderBy('due_at')
    .orderBy(sql`coalesce(event_id, '')`)
    .orderBy('id')
    .limit(1);
  const next = (await current.executeTakeFirst()) ?? (await first.executeTakeFirst());
  if (!next) return null;
  const due = jobs
    .select(JOB_COLUMNS)
    .where('id', '=', next.id)
    .where('due_at', '<=', now.getTime());
  return (await forUpdateSkipLocked(session.dialect, due).executeTakeFirst()) ?? null;
}

/** Implements `JobWrites.setJobGroup`. */
export async function setJobGroup(
  session: SqlSession,
  { queue, tenantId, group }: JobGroup,
  { startsPerSecond, isOrdered }: JobGroupRule,
): Promise<void> {
  const db = session.kysely<GroupTables>();
  if (startsPerSecond === null && !isOrdered) {
    await db
      .deleteFrom('probity_job_groups')
      .where('queue', '=', queue)
      .where('organization_id', '=', tenantId)
      .where('group_key', '=', group)
      .execute();
    return;
  }
  // Claims of the last second still count; whether the group is open is found out by the next one.
  const change = { starts_per_second: startsPerSecond, ordered: Number(isOrdered), opens_at: 0 };
  await db
    .insertInto('probity_job_groups')
    .values({
      queue,
      organization_id: tenantId,
      group_key: group,
      starts: '[]',
      current_job: null,
      claimed_at: 0,
      ...change,
    })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'organization_id', 'group_key']).doUpdateSet(change),
    )
    .execute();
}

function toStarts(text: string): Starts {
  return JSON.parse(text) as Starts;
}

function keyOf(tenant: string, group: string): string {
  return JSON.stringify([tenant, group]);
}
