import { existsSync } from 'node:fs';
import { createMaintenance, silentLogger, systemClock } from '@probity/core';
import { createSqlMaintenanceStorage } from '@probity/core/sql';
import {
  type DatabaseLocation,
  type Environment,
  readDatabase,
  type ServerFlags,
} from './config.ts';
import { openDatabase } from './database.ts';
import { StartFailure } from './failure.ts';

/** What `probity-server maintenance` is told to do. */
export const MAINTENANCE_MODES = ['on', 'off'] as const;

/** Turns maintenance on or off for every instance on the database, and says since when it is on. */
export async function setMaintenance(
  mode: (typeof MAINTENANCE_MODES)[number],
  flags: Pick<ServerFlags, 'database'>,
  env: Environment,
): Promise<void> {
  const location = readDatabase(flags, env);
  requireExisting(location);
  const database = await openDatabase(location, silentLogger);
  try {
    const storage = createSqlMaintenanceStorage(database);
    const maintenance = createMaintenance({ storage, clock: systemClock });
    const { beganAt } = mode === 'on' ? await maintenance.begin() : await maintenance.end();
    const since = mode === 'on' && beganAt ? ` since ${beganAt.toISOString()}` : '';
    process.stdout.write(`maintenance is ${mode}${since}\n`);
  } finally {
    await database.close();
  }
}

/** A mistyped path must not make an empty database and look like success. */
function requireExisting(location: DatabaseLocation): void {
  if (location.kind !== 'sqlite' || existsSync(location.path)) return;
  throw new StartFailure(`There is no database file ${location.path}.`);
}
