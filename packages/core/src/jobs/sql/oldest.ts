import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { prepareSql } from '../../sql/prepared-query.ts';
import type { SqlSession } from '../../sql/session.ts';
import { ofGroup } from './groups.ts';

interface OldestRow {
  due_at: number;
  /** Null when its group has no rule. */
  starts: string | null;
}

const RULE = sql.ref('starts');

const selectOldest = prepareSql<{ queue: string }, OldestRow>((value) => {
  const group = {
    queue: value('queue'),
    tenant: sql.ref('first.tenant_id'),
    group: sql.ref('first.group_key'),
  };
  return sql`
    select due_at, ${ofGroup(group, RULE)} as starts from (
      select due_at, tenant_id, group_key from probity_jobs
      where queue = ${value('queue')} order by due_at limit 1
    ) as first`;
});

/** Groups that {@link selectOfFirstGroups} looks at. */
const FIRST_GROUPS = 1_000;

interface ClaimableRow {
  due_at: number | null;
  groups: number;
}

const selectOfFirstGroups = selectClaimable(sql`limit ${sql.lit(FIRST_GROUPS)}`);
const selectOfAllGroups = selectClaimable(sql``);

/**
 * The least time of all groups with jobs since when one may be claimed, and the number of these groups: one
 * look-up in the index for each tenant and each group, however many jobs there are.
 * @param limit of the groups
 */
function selectClaimable(limit: RawBuilder<unknown>) {
  return prepareSql<{ queue: string }, ClaimableRow>((value, dialect) => {
    const greatest = sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');
    const jobs = sql`probity_jobs where queue = ${value('queue')}`;
    const group = {
      queue: value('queue'),
      tenant: sql.ref('lanes.tenant_id'),
      group: sql.ref('lanes.group_key'),
    };
    const ofCurrent = sql`(
      select due_at from probity_jobs as current where ordered = 1 and current.id = current_job)`;
    const claimable = sql`${greatest}(claimed_at, coalesce(${ofCurrent}, 0))`;
    return sql`
      with recursive tenants (tenant_id) as (
        select (select min(tenant_id) from ${jobs})
        union all
        select (select min(tenant_id) from ${jobs} and tenant_id > tenants.tenant_id)
        from tenants where tenants.tenant_id is not null
      ), lanes (tenant_id, group_key) as (
        select tenants.tenant_id,
          (select min(group_key) from ${jobs} and tenant_id = tenants.tenant_id)
        from tenants where tenants.tenant_id is not null
        union all
        select lanes.tenant_id,
          (select min(group_key) from ${jobs} and tenant_id = lanes.tenant_id
            and group_key > lanes.group_key)
        from lanes where lanes.group_key is not null
      )
      select min(due_at) as due_at, count(*) as groups from (
        select ${greatest}(
          coalesce(${ofGroup(group, claimable)}, 0),
          (select due_at from ${jobs} and tenant_id = lanes.tenant_id
            and group_key = lanes.group_key order by due_at limit 1)
        ) as due_at
        from lanes where lanes.group_key is not null ${limit}
      ) as found`;
  });
}

/** Implements `JobReads.oldestDueAt`; mostly the oldest job is of a group without a rule. */
export async function oldestDueAt(session: SqlSession, queue: string): Promise<number | null> {
  const [oldest] = await selectOldest(session, { queue });
  if (!oldest) return null;
  if (oldest.starts === null) return oldest.due_at;
  // Without the limit PostgreSQL takes the statement to be so long that it compiles it (JIT), for half a second.
  const [first] = await selectOfFirstGroups(session, { queue });
  if (first && first.groups < FIRST_GROUPS) return first.due_at;
  const [all] = await selectOfAllGroups(session, { queue });
  return all?.due_at ?? null;
}
