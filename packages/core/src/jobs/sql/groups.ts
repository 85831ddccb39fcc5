import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { forUpdate } from '../../sql/dialect.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Starts } from '../starts.ts';
import { afterStarts, STARTS_WINDOW_MS, startsLeft } from '../starts.ts';
import type { JobGroup, JobGroupRule } from '../storage.ts';

/** The groups that have a rule. */
interface GroupTables {
  probity_job_groups: GroupRow;
}

interface GroupRow {
  queue: string;
  organization_id: string;
  group_key: string;
  starts_per_second: number;
  /** JSON of {@link Starts}. */
  starts: string;
  /** Time in milliseconds since 1970 before which no job of the group may be claimed; 0 for none. */
  opens_at: number;
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
function ofGroup({ queue, tenant, group }: GroupReference, expression: RawBuilder<unknown>) {
  return sql`(
    select ${expression} from probity_job_groups as rules
    where rules.queue = ${queue} and rules.organization_id = ${tenant} and rules.group_key = ${group}
  )`;
}

/** Whether jobs of the group may be claimed at `now`. */
export function isOpen(group: GroupReference, now: unknown): RawBuilder<boolean> {
  const isShut = sql`case
    when opens_at > ${now} and opens_at <= cast(${now} as bigint) + ${sql.lit(STARTS_WINDOW_MS)} then 1
    else 0 end`;
  return sql<boolean>`coalesce(${ofGroup(group, isShut)}, 0) = 0`;
}

/** The columns of {@link RuleColumns}. */
export function ruleColumns(group: GroupReference): RawBuilder<unknown> {
  return sql`${ofGroup(group, sql`starts_per_second`)} as starts_per_second, ${ofGroup(group, sql`starts`)} as starts`;
}

/** What a claim reads about the rule of a group; null without a rule. */
export interface RuleColumns {
  readonly starts_per_second: number | null;
  readonly starts: string | null;
}

/** The number of jobs of groups with a rule that may be claimed, as far as groups were read. */
export class GroupRules {
  readonly #nowMs: number;
  readonly #left = new Map<string, number>();

  constructor(now: Date) {
    this.#nowMs = now.getTime();
  }

  /** Whether a group with a rule was read. */
  get isEmpty(): boolean {
    return this.#left.size === 0;
  }

  add(tenant: string, group: string, { starts_per_second, starts }: RuleColumns): void {
    if (starts_per_second === null || starts === null) return;
    const limit = { startsPerSecond: starts_per_second, starts: toStarts(starts) };
    this.#left.set(keyOf(tenant, group), startsLeft(limit, this.#nowMs));
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
  wanted: number,
): Promise<number> {
  const db = session.kysely<GroupTables>();
  const selection = db
    .selectFrom('probity_job_groups')
    .select(['starts_per_second', 'starts'])
    .where('queue', '=', queue)
    .where('organization_id', '=', tenant)
    .where('group_key', '=', group);
  const row = await forUpdate(session.dialect, selection).executeTakeFirst();
  // The rule was removed meanwhile.
  if (!row) return wanted;
  const limit = { startsPerSecond: row.starts_per_second, starts: toStarts(row.starts) };
  const count = Math.min(wanted, startsLeft(limit, now.getTime()));
  if (count === 0) return 0;
  const { starts, opensAtMs } = afterStarts(limit, now.getTime(), count);
  await db
    .updateTable('probity_job_groups')
    .set({ starts: JSON.stringify(starts), opens_at: opensAtMs })
    .where('queue', '=', queue)
    .where('organization_id', '=', tenant)
    .where('group_key', '=', group)
    .execute();
  return count;
}

/** Implements `JobWrites.setJobGroup`. */
export async function setJobGroup(
  session: SqlSession,
  { queue, tenantId, group }: JobGroup,
  { startsPerSecond }: JobGroupRule,
): Promise<void> {
  const db = session.kysely<GroupTables>();
  if (startsPerSecond === null) {
    await db
      .deleteFrom('probity_job_groups')
      .where('queue', '=', queue)
      .where('organization_id', '=', tenantId)
      .where('group_key', '=', group)
      .execute();
    return;
  }
  // Claims of the last second still count; whether the group is open is found out by the next one.
  const change = { starts_per_second: startsPerSecond, opens_at: 0 };
  await db
    .insertInto('probity_job_groups')
    .values({ queue, organization_id: tenantId, group_key: group, starts: '[]', ...change })
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
