export type { SqliteBackup } from './backup.ts';
export { backupSqlite } from './backup.ts';
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
export { pgDumpCommand } from './pg-dump.ts';
export { createSqlPlatformStorage } from './platform.ts';
export type { PostgresOptions } from './postgres.ts';
export { createPostgresDatabase } from './postgres.ts';
export type { PreparedQuery } from './prepared-query.ts';
export { prepareQuery } from './prepared-query.ts';
export type { SealedColumn } from './sealed-column.ts';
export { sealedColumn } from './sealed-column.ts';
export { createSqlSealingKeys, requireSealingKey } from './sealing-keys.ts';
export type { ExecuteSql, SqlDialect, SqlResult, SqlSession } from './session.ts';
export { createSqlSignInStorage } from './sign-in.ts';
export type { SqliteOptions } from './sqlite.ts';
export { createSqliteDatabase } from './sqlite.ts';
export type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';
export { prepareSqliteFile } from './sqlite-file.ts';
export { createSqlUsageStorage } from './usage.ts';
