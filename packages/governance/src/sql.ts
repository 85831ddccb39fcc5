import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createAlertReads, createAlertWrites } from './alerts/sql.ts';
import { createScanReads, createScanWrites } from './scans/sql.ts';
import type { GovernanceStorage, StorageReads, StorageWrites } from './storage.ts';

export { governanceMigrations } from './migrations.ts';
export { createSqlPolicyStorage } from './policies/sql.ts';
export { createSqlProtectedTextStorage } from './protected-texts/sql.ts';

/** The storage of scans and alerts on SQLite and PostgreSQL. */
export function createSqlGovernanceStorage(database: SqlDatabase): GovernanceStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createScanReads(session),
    ...createScanWrites(session),
    ...createAlertReads(session),
    ...createAlertWrites(session),
  }));
}
