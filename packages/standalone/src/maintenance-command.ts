import { createMaintenance, systemClock } from '@probity/core';
import { createSqlMaintenanceStorage } from '@probity/core/sql';
import { readDatabase, type ServerFlags } from './config.ts';
import { withExistingDatabase } from './database.ts';
import type { Environment } from './settings.ts';

/** What `probity-server maintenance` is told to do. */
export const MAINTENANCE_MODES = ['on', 'off'] as const;

/** Turns maintenance on or off for every instance on the database, and says since when it is on. */
export function setMaintenance(
  mode: (typeof MAINTENANCE_MODES)[number],
  flags: Pick<ServerFlags, 'database'>,
  env: Environment,
): Promise<void> {
  return withExistingDatabase(readDatabase(flags, env), async (database) => {
    const storage = createSqlMaintenanceStorage(database);
    const maintenance = createMaintenance({ storage, clock: systemClock });
    const { beganAt } = mode === 'on' ? await maintenance.begin() : await maintenance.end();
    const since = mode === 'on' && beganAt ? ` since ${beganAt.toISOString()}` : '';
    process.stdout.write(`maintenance is ${mode}${since}\n`);
  });
}
