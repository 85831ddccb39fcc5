import type { Database } from '@probity/core';
import { createRuntime } from '@probity/core';
import type { DatabaseTarget, TestDatabase } from '@probity/core/testing';
import { databaseTargets, withTenant } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createPreparedDatabase, createTestClock, temporaryRoot } from '@probity/test-support';
import type { SampleStorage } from '../src/index.ts';
import { createMemorySampleStorage, createThings } from '../src/index.ts';
import { createSqlSampleStorage, sampleMigrations } from '../src/sql.ts';

/** Memory, SQLite and PostgreSQL with the package's tables. */
export const targets: readonly DatabaseTarget[] = databaseTargets({
  migrations: sampleMigrations,
  createPostgres: createPreparedDatabase,
  sqliteFolder: temporaryRoot(),
});

/** Creates the package's storage on a test database. */
export function storageOf(opened: TestDatabase): SampleStorage {
  return opened.kind === 'memory'
    ? createMemorySampleStorage(opened.database)
    : createSqlSampleStorage(opened.database);
}

/** Creates the services on a new database with one organization; closes it after the test. */
export async function createWorld(test: TestLifetime, target = targets[0] as DatabaseTarget) {
  const opened = await target.open();
  test.after(() => opened.dispose());
  const database: Database = opened.database;
  const storage = storageOf(opened);
  const runtime = createRuntime({ database, clock: createTestClock() });
  const things = createThings(runtime, { storage });
  return { ...(await withTenant(opened)), opened, database, runtime, storage, things };
}
