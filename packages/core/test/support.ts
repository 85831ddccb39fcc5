import { fileURLToPath } from 'node:url';
import { createPreparedDatabase, temporaryRoot } from '@probity/test-support';
import type { DatabaseTarget } from '../src/testing/targets.ts';
import { databaseTargets } from '../src/testing/targets.ts';

/** Memory, SQLite and PostgreSQL with the tables of core. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** The targets that speak SQL. */
export const sqlTargets: readonly DatabaseTarget[] = targets.filter(
  ({ name }) => name !== 'memory',
);

/** The targets that speak SQL, with SQLite on the disk: for tests that kill processes. */
export const diskTargets: readonly DatabaseTarget[] = databaseTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot('disk'),
}).filter(({ name }) => name !== 'memory');

/** Path of a compiled program of this folder's `programs`. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}
