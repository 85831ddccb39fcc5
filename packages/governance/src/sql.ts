import { bindStorage } from '@probity/core';
import { combineResources } from '@probity/core/internal';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createAlertReads, createAlertWrites } from './alerts/sql.ts';
import { createSqlBatchStorage } from './batches/sql.ts';
import { createSqlPolicyStorage } from './policies/sql.ts';
import { createSqlProtectedTextStorage } from './protected-texts/sql.ts';
import { createScanReads, createScanWrites } from './scans/sql.ts';
import { createSqlUpkeepStorage } from './settings/sql.ts';
import type {
  GovernanceStorage,
  GovernanceStorages,
  StorageReads,
  StorageWrites,
} from './storage.ts';

export { createSqlCertificateStorage } from './certificates/sql.ts';
export { governanceMigrations } from './migrations.ts';
export {
  createSqlBatchStorage,
  createSqlPolicyStorage,
  createSqlProtectedTextStorage,
  createSqlUpkeepStorage,
};

const { bind, bindOnDemand } = combineResources(
  createScanReads,
  createScanWrites,
  createAlertReads,
  createAlertWrites,
);

/** The storage of scans and alerts on SQLite and PostgreSQL. */
export function createSqlGovernanceStorage(database: SqlDatabase): GovernanceStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, bind, bindOnDemand);
}

/** Everything that governance stores, on one database. */
export function createSqlGovernanceStorages(database: SqlDatabase): GovernanceStorages {
  return {
    storage: createSqlGovernanceStorage(database),
    policyStorage: createSqlPolicyStorage(database),
    batchStorage: createSqlBatchStorage(database),
    upkeepStorage: createSqlUpkeepStorage(database),
    protectedTextStorage: createSqlProtectedTextStorage(database),
  };
}
