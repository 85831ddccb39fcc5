import { bindStorage } from '../storage/bind.ts';
import type { Database } from '../storage/database.ts';
import type { MemorySession } from '../storage/memory.ts';
import { defineMemoryTable } from '../storage/memory-table.ts';
import type {
  MaintenanceReads,
  MaintenanceState,
  MaintenanceStorage,
  MaintenanceWrites,
} from './storage.ts';

const MAINTENANCE = defineMemoryTable<MaintenanceState>('maintenance', null);
const ID = 'service';

/** The state of maintenance in memory. */
export function createMemoryMaintenanceStorage(
  database: Database<MemorySession>,
): MaintenanceStorage {
  return bindStorage<MemorySession, MaintenanceReads, MaintenanceWrites>(database, (session) => {
    const rows = () => session.table(MAINTENANCE);
    const read = () => rows().get(ID) ?? { active: false, beganAt: null };
    return {
      readMaintenance: async () => read(),
      async beginMaintenance(at) {
        if (!read().active) rows().put(ID, { active: true, beganAt: at });
      },
      async endMaintenance() {
        const { active, beganAt } = read();
        if (active) rows().put(ID, { active: false, beganAt });
      },
    };
  });
}
