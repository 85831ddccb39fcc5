import { createRequire } from 'node:module';
import type Pg from 'pg';

/**
 * Loads pg when the first PostgreSQL database is created: hosts on SQLite need not install it.
 *
 * @throws Error with the command that installs pg when it is missing
 */
export function loadPostgresDriver(): typeof Pg {
  const resolve = createRequire(import.meta.url || __filename).resolve;
  try {
    resolve('pg');
  } catch (cause) {
    throw new Error('The PostgreSQL adapter needs pg: npm install pg@8', { cause });
  }
  return requirePg();
}

/** See the literal requests of the SQLite driver. */
function requirePg(): typeof Pg {
  if (!import.meta.url) return createRequire(__filename)('pg');
  const require = createRequire(import.meta.url);
  return require('pg');
}
