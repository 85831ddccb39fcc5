import type { DatabaseTarget, TestDatabase } from '@probity/core/testing';
import { databaseTargets } from '@probity/core/testing';
import { createPreparedDatabase, temporaryRoot } from '@probity/test-support';
import { createMemoryScimStorage } from '../src/memory.ts';
import { createSqlScimStorage, scimMigrations } from '../src/sql.ts';
import type { ScimStorage } from '../src/storage.ts';

/** Memory, SQLite and PostgreSQL with the tables of users and groups. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: scimMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** The storage of users and groups on a test database. */
export function storageOf(opened: TestDatabase): ScimStorage {
  return opened.kind === 'memory'
    ? createMemoryScimStorage(opened.database)
    : createSqlScimStorage(opened.database);
}
