import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from '../../sql/session.ts';

/** What a skip scan looks for. */
export interface SkipScan {
  /** The column whose values are found; the rows in `where` are indexed by it and by `due_at`. */
  readonly column: 'tenant_id' | 'group_key';
  readonly where: RawBuilder<unknown>;
  /** The value after which the scan begins; null for the first. */
  readonly after: unknown;
  readonly now: unknown;
  readonly limit: unknown;
  /** A further condition on `found.name`. */
  readonly condition?: RawBuilder<boolean>;
}

/**
 * Selects as `name` the values of a column that have due jobs, in ascending order. Each step looks
 * up the next value in the index with the due time of its oldest job, so the cost depends on the
 * number of values and not on the number of jobs.
 */
export function skipScan(dialect: SqlDialect, scan: SkipScan): RawBuilder<{ name: string }> {
  return dialect === 'postgres' ? scanWithLateral(scan) : scanWithSubqueries(scan);
}

/**
 * The order by both columns leaves PostgreSQL one index to choose: for the least due time of one
 * value it may walk through the jobs of all values by due time.
 */
function scanWithLateral({ column, where, after, now, limit, condition }: SkipScan) {
  const name = sql.ref(column);
  const first = (next: RawBuilder<unknown>) => sql`
    select ${name} as name, due_at from probity_jobs
    where ${where} and ${next} order by ${name}, due_at limit 1`;
  return sql<{ name: string }>`
    with recursive found (name, due_at) as (
      (${first(sql`cast(${after} as text) is null`)})
      union all
      (${first(sql`${name} > ${after}`)})
      union all
      select next.name, next.due_at from found
      cross join lateral (${first(sql`${name} > found.name`)}) as next
    )
    select name from found where due_at <= ${now} ${furtherCondition(condition)} limit ${limit}`;
}

/** SQLite has no lateral joins, and takes the index with the most columns in equations. */
function scanWithSubqueries({ column, where, after, now, limit, condition }: SkipScan) {
  const name = sql.ref(column);
  const least = (next: RawBuilder<unknown>) =>
    sql`(select min(${name}) from probity_jobs where ${where} ${next})`;
  return sql<{ name: string }>`
    with recursive found (name) as (
      select case when ${after} is null then ${least(sql``)} else ${least(sql`and ${name} > ${after}`)} end
      union all
      select ${least(sql`and ${name} > found.name`)} from found where found.name is not null
    )
    select name from found where name is not null and (
      select min(due_at) from probity_jobs where ${where} and ${name} = found.name
    ) <= ${now} ${furtherCondition(condition)} limit ${limit}`;
}

function furtherCondition(condition: RawBuilder<boolean> | undefined): RawBuilder<unknown> {
  return condition ? sql`and ${condition}` : sql``;
}
