import { fileURLToPath } from 'node:url';
import { createPreparedDatabase, temporaryRoot } from '@probity/test-support';
import type { PlatformTarget } from '../src/testing/targets.ts';
import { platformTargets } from '../src/testing/targets.ts';

/** Base of the addresses that services under test hand out. */
export const BASE_URL = 'https://probity.example.com';

/** Memory, SQLite and PostgreSQL with the tables of the platform. */
export const targets: readonly PlatformTarget[] = platformTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** The targets that speak SQL. */
export const sqlTargets: readonly PlatformTarget[] = targets.filter(
  ({ name }) => name !== 'memory',
);

/** The targets that speak SQL, with SQLite on the disk: for tests that kill processes. */
export const diskTargets: readonly PlatformTarget[] = platformTargets({
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot('disk'),
}).filter(({ name }) => name !== 'memory');

/** Path of a compiled program of this folder's `programs`. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}
