import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createAlertReads, createAlertWrites } from './alerts/sql.ts';
import { createScanReads, createScanWrites } from './scans/sql.ts';
import type { GovernanceStorage, StorageReads, StorageWrites } from './storage.ts';

export { createSqlBatchStorage } from './batches/sql.ts';
export { createSqlCertificateStorage } from './certificates/sql.ts';
export { governanceMigrations } from './migrations.ts';
export { createSqlPolicyStorage } from './policies/sql.ts';
export { createSqlUpkeepStorage } from './settings/sql.ts';

/** The storage of scans and alerts on SQLite and PostgreSQL. */
export function createSqlGovernanceStorage(database: SqlDatabase): GovernanceStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createScanReads(session),
    ...createScanWrites(session),
    ...createAlertReads(session),
    ...createAlertWrites(session),
  }));
}
