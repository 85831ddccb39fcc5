export { createSqlBillingStorage } from './billing.ts';
export type { SqlDatabase } from './database.ts';
export {
  forUpdate,
  forUpdateSkipLocked,
  isUniqueViolation,
  toDate,
  toDateOrNull,
  uniqueIndexName,
} from './dialect.ts';
export { createSqlMaintenanceStorage } from './maintenance.ts';
export { createSqlMemberStorage } from './members.ts';
export { coreMigrations } from './migrations.ts';
export type { MigrateOptions, Migration } from './migrator.ts';
export { migrate, pendingMigrations } from './migrator.ts';
export { createSqlPlatformStorage } from './platform.ts';
export type { PostgresOptions } from './postgres.ts';
export { createPostgresDatabase } from './postgres.ts';
export type { PreparedQuery } from './prepared-query.ts';
export { prepareQuery } from './prepared-query.ts';
export type { SealingKeys } from './sealing-keys.ts';
export { createSqlSealingKeys } from './sealing-keys.ts';
export type { ExecuteSql, SqlDialect, SqlResult, SqlSession } from './session.ts';
export type { SqliteOptions } from './sqlite.ts';
export { createSqliteDatabase } from './sqlite.ts';
export type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';
export { createSqlUsageStorage } from './usage.ts';
