import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../ids.ts';
import { silentLogger } from '../logging/logger.ts';
import type { Database } from '../storage/database.ts';
import { createTenantRemovalWorker } from '../tenants/removal.ts';

/** Deletes what removed tenants have, as a started program does in the background. */
export async function finishRemovals(
  database: Database,
  clock: Clock = systemClock,
): Promise<void> {
  const dependencies = { clock, logger: silentLogger, ids: createIds() };
  await createTenantRemovalWorker({ database, ...dependencies }).runOnce();
}
