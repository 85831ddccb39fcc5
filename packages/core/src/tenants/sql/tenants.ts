import { JOB_TABLES, queuesIn } from '../../jobs/sql/tables.ts';
import { deleteBatch } from '../../sql/count-changes.ts';
import { prepareQuery } from '../../sql/prepared-query.ts';
import type { SqlSession } from '../../sql/session.ts';
import { removalInProgress } from '../removal-in-progress.ts';
import type { TenantReads, TenantWrites } from '../storage.ts';
import { createTenantTables } from './tables.ts';

interface TenantTables {
  probity_tenants: TenantRow;
}

interface TenantRow {
  id: string;
  /** Set while the rows of the removed tenant are deleted. */
  removed_at: number | null;
}

type TenantId = Pick<TenantRow, 'id'>;

type JobsOfTenants = Record<
  (typeof JOB_TABLES)[number],
  { id: string; queue: string; tenant_id: string }
>;

const selectTenant = prepareQuery<TenantTables, TenantId, TenantId>((db, value) =>
  db
    .selectFrom('probity_tenants')
    .select('id')
    .where('id', '=', value('id'))
    .where('removed_at', 'is', null),
);

// FOR UPDATE would keep others from inserting rows that refer to the tenant, such as audit entries,
// whose chain this transaction may be waiting for: a deadlock.
const selectTenantForNoKeyUpdate = prepareQuery<TenantTables, TenantId, TenantId>((db, value) =>
  db
    .selectFrom('probity_tenants')
    .select('id')
    .where('id', '=', value('id'))
    .where('removed_at', 'is', null)
    .forNoKeyUpdate(),
);

const selectRemoved = prepareQuery<TenantTables, TenantId, TenantId>((db, value, dialect) => {
  const removed = db
    .selectFrom('probity_tenants')
    .select('id')
    .where('id', '=', value('id'))
    .where('removed_at', 'is not', null);
  return dialect === 'sqlite' ? removed : removed.forKeyShare();
});

const markRemoved = prepareQuery<TenantTables, { id: string; removedAt: number }, TenantId>(
  (db, value) =>
    db
      .updateTable('probity_tenants')
      .set({ removed_at: value('removedAt') })
      .where('id', '=', value('id'))
      .where('removed_at', 'is', null)
      .returning('id'),
);

const insertTenant = prepareQuery<TenantTables, TenantId, object>((db, value) =>
  db
    .insertInto('probity_tenants')
    .values({ id: value('id'), removed_at: null })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const deleteTenant = prepareQuery<TenantTables, TenantId, TenantId>((db, value) =>
  db.deleteFrom('probity_tenants').where('id', '=', value('id')).returning('id'),
);

/** Tenants on a SQL session. */
export function createSqlTenants(session: SqlSession): TenantReads & TenantWrites {
  return {
    hasTenant: async (id) => (await selectTenant(session, { id })).length > 0,
    async listTenants(after, limit) {
      const rows = await session
        .kysely<TenantTables>()
        .selectFrom('probity_tenants')
        .select('id')
        .where('id', '>', after)
        .where('removed_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async ensureTenant(id) {
      await insertTenant(session, { id });
      if ((await selectRemoved(session, { id })).length > 0) throw removalInProgress(id);
    },
    async markTenantRemoved(id, at) {
      return (await markRemoved(session, { id, removedAt: at.getTime() })).length > 0;
    },
    lockRemovedTenant: async (id) => (await selectRemoved(session, { id })).length > 0,
    deleteTenant: async (id) => (await deleteTenant(session, { id })).length > 0,
    deleteTenantJobs,
    ...createTenantTables(session),
  };

  async function deleteTenantJobs(id: string, limit: number): Promise<number> {
    let deleted = 0;
    for (const table of JOB_TABLES) {
      for (const queue of await queuesIn(session, table)) {
        if (deleted >= limit) return deleted;
        const jobs = session
          .kysely<JobsOfTenants>()
          .selectFrom(table)
          .select('id')
          .where('queue', '=', queue)
          .where('tenant_id', '=', id)
          .limit(limit - deleted);
        deleted += await deleteBatch(session, table, 'id', jobs);
      }
    }
    return deleted;
  }
}

/** Implements `Database.lockTenant`; on SQLite the single writer excludes all others. */
export async function lockTenantRow(session: SqlSession, id: string): Promise<boolean> {
  const query = session.dialect === 'postgres' ? selectTenantForNoKeyUpdate : selectTenant;
  return (await query(session, { id })).length > 0;
}
