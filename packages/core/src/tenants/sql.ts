import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import type { TenantReads, TenantWrites } from './storage.ts';

interface TenantTables {
  probity_tenants: TenantRow;
}

interface TenantRow {
  id: string;
}

const selectTenant = prepareQuery<TenantTables, TenantRow, TenantRow>((db, value) =>
  db.selectFrom('probity_tenants').select('id').where('id', '=', value('id')),
);

// FOR UPDATE would keep others from inserting rows that refer to the tenant, such as audit entries,
// whose chain this transaction may be waiting for: a deadlock.
const selectTenantForNoKeyUpdate = prepareQuery<TenantTables, TenantRow, TenantRow>((db, value) =>
  db.selectFrom('probity_tenants').select('id').where('id', '=', value('id')).forNoKeyUpdate(),
);

const insertTenant = prepareQuery<TenantTables, TenantRow, object>((db, value) =>
  db
    .insertInto('probity_tenants')
    .values({ id: value('id') })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const deleteTenant = prepareQuery<TenantTables, TenantRow, TenantRow>((db, value) =>
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
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    async ensureTenant(id) {
      await insertTenant(session, { id });
    },
    deleteTenant: async (id) => (await deleteTenant(session, { id })).length > 0,
  };
}

/** Implements `Database.lockTenant`; on SQLite the single writer excludes all others. */
export async function lockTenantRow(session: SqlSession, id: string): Promise<boolean> {
  const query = session.dialect === 'postgres' ? selectTenantForNoKeyUpdate : selectTenant;
  return (await query(session, { id })).length > 0;
}
