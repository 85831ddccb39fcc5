import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import type { SampleStorage, StorageReads, StorageWrites } from './storage.ts';
import { createThingReads, createThingWrites } from './things/sql.ts';

export { sampleMigrations } from './migrations.ts';

/** Creates the storage of ~things~ on SQLite or PostgreSQL. */
export function createSqlSampleStorage(database: SqlDatabase): SampleStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createThingReads(session),
    ...createThingWrites(session),
  }));
}
