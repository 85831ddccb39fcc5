import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseLocation } from '@probity/core/internal';
import { parseDatabaseUrl } from '@probity/core/internal';
import type { Environment } from '../config/substitution.ts';

/**
 * The location of the audit table: `PROBITY_GATEWAY_DATABASE_URL`, else the file `gateway.db` next to the
 * configuration, or where there is none and `PROBITY_GATEWAY_STATE_FOLDER` is set, in that folder.
 *
 * @throws Error that names the variable, never its value
 */
export function databaseOf(configFile: string, env: Environment): DatabaseLocation {
  const { PROBITY_GATEWAY_DATABASE_URL: url, PROBITY_GATEWAY_STATE_FOLDER: state } = env;
  if (!url) {
    const near = join(dirname(resolve(configFile)), 'gateway.db');
    const isNear = !state || existsSync(near);
    return { kind: 'sqlite', path: isNear ? near : join(resolve(state), 'gateway.db') };
  }
  try {
    return parseDatabaseUrl(url);
  } catch (error) {
    throw new Error(`PROBITY_GATEWAY_DATABASE_URL ${(error as Error).message}`, { cause: error });
  }
}
