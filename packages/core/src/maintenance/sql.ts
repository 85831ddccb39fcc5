import type { SqlDatabase } from '../sql/database.ts';
import { toDate } from '../sql/dialect.ts';
import type { SqlSession } from '../sql/session.ts';
import { bindStorage } from '../storage/bind.ts';
import type { MaintenanceReads, MaintenanceStorage, MaintenanceWrites } from './storage.ts';

/** The table of the maintenance state; it has one row once maintenance has been on. */
interface MaintenanceTables {
  probity_maintenance: MaintenanceRow;
}

interface MaintenanceRow {
  id: string;
  active: number;
  began_at: number;
}

const ID = 'service';

/** The state of maintenance on SQLite and PostgreSQL. */
export function createSqlMaintenanceStorage(database: SqlDatabase): MaintenanceStorage {
  return bindStorage<SqlSession, MaintenanceReads, MaintenanceWrites>(database, (session) => {
    const db = session.kysely<MaintenanceTables>();
    return {
      async readMaintenance() {
        const row = await db.selectFrom('probity_maintenance').selectAll().executeTakeFirst();
        return { active: row?.active === 1, beganAt: row ? toDate(row.began_at) : null };
      },
      async beginMaintenance(at) {
        const begun = { active: 1, began_at: at.getTime() };
        await db
          .insertInto('probity_maintenance')
          .values({ id: ID, ...begun })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet(begun).where('probity_maintenance.active', '=', 0),
          )
          .execute();
      },
      async endMaintenance() {
        await db
          .updateTable('probity_maintenance')
          .set({ active: 0 })
          .where('id', '=', ID)
          .execute();
      },
    };
  });
}
