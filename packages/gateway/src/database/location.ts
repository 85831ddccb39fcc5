import { dirname, join, resolve } from 'node:path';
import type { DatabaseLocation } from '@probity/core/internal';
import { parseDatabaseUrl } from '@probity/core/internal';
import type { Environment } from '../config/substitution.ts';

/**
 * Where the audit table is: as `PROBITY_GATEWAY_DATABASE_URL` says, else the file `gateway.db` beside the
 * configuration.
 *
 * @throws Error that names the variable, never its value
 */
export function databaseOf(configFile: string, env: Environment): DatabaseLocation {
  const { PROBITY_GATEWAY_DATABASE_URL: url } = env;
  if (!url) return { kind: 'sqlite', path: join(dirname(resolve(configFile)), 'gateway.db') };
  try {
    return parseDatabaseUrl(url);
  } catch {
    throw new Error(
      'PROBITY_GATEWAY_DATABASE_URL must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
    );
  }
}
