import { createRequire } from 'node:module';
import type Pg from 'pg';

const require = createRequire(import.meta.url);

/**
 * Loads pg when the first PostgreSQL database is created: hosts on SQLite need not install it.
 *
 * @throws Error with the command that installs pg when it is missing
 */
export function loadPostgresDriver(): typeof Pg {
  try {
    require.resolve('pg');
  } catch (cause) {
    throw new Error('The PostgreSQL adapter needs pg: npm install pg@8', { cause });
  }
  return require('pg') as typeof Pg;
}
