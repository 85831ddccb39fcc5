import { createMaintenance, systemClock } from '@probity/core';
import { createSqlMaintenanceStorage } from '@probity/core/sql';
import type { DatabaseFlags, MaintenanceMode } from './command-line.ts';
import { readDatabase } from './config.ts';
import type { CommandContext } from './context.ts';
import { withExistingDatabase } from './database.ts';

/** Turns maintenance on or off for every instance on the database, and says since when it is on. */
export function setMaintenance(
  mode: MaintenanceMode,
  flags: DatabaseFlags,
  { env, print }: CommandContext,
): Promise<void> {
  return withExistingDatabase(readDatabase(flags, env), async (database) => {
    const storage = createSqlMaintenanceStorage(database);
    const maintenance = createMaintenance({ storage, clock: systemClock });
    const { beganAt } = mode === 'on' ? await maintenance.begin() : await maintenance.end();
    const since = mode === 'on' && beganAt ? ` since ${beganAt.toISOString()}` : '';
    print(`maintenance is ${mode}${since}\n`);
  });
}
