export { createSqlMaintenanceStorage } from '../maintenance/sql.ts';
export type { SealedColumn } from '../sealing/sql/column.ts';
export { sealedColumn } from '../sealing/sql/column.ts';
export { createSqlSealingKeys, requireSealingKey } from '../sealing/sql/keys.ts';
export { createSqlTenants } from '../tenants/sql/tenants.ts';
export type { SqliteBackup } from './backup.ts';
export { backupSqlite } from './backup.ts';
export type { ChangeQuery } from './count-changes.ts';
export { countChanges, deleteBatch } from './count-changes.ts';
export type { SqlDatabase } from './database.ts';
export {
  forKeyShare,
  forNoKeyUpdateSkipLocked,
  forUpdate,
  forUpdateSkipLocked,
  isUniqueViolation,
  toDate,
  toDateOrNull,
  uniqueIndexName,
} from './dialect.ts';
export type { HostKysely, HostSqlite, KyselyTransaction, PgPool } from './host.ts';
export type { InsertManyOptions } from './insert-many.ts';
export { insertMany } from './insert-many.ts';
export { isAmong } from './is-among.ts';
export type { HostTransaction, JoinedSession } from './join.ts';
export { joinKysely, joinPg, joinSqlite, sessionOf } from './join.ts';
export type { KyselyOptions } from './kysely-database.ts';
export { createKyselyDatabase } from './kysely-database.ts';
export type { ListPath } from './list-paths.ts';
export { compares, countGroups, equalityPaths, listPath, pageOfPaths } from './list-paths.ts';
export type { Migration, MigrationSlices, MigrationStatement } from './migration.ts';
export { coreMigrations } from './migrations.ts';
export type { MigrateOptions, MigrationProgress } from './migrator.ts';
export { migrate, pendingMigrations } from './migrator.ts';
export { countRows, pageOf } from './page-of.ts';
export { pgDumpCommand } from './pg-dump.ts';
export type { PgClient } from './pg-transaction.ts';
export type { PostgresOptions } from './postgres.ts';
export { createPostgresDatabase } from './postgres.ts';
export type { PreparedInsert } from './prepare-insert.ts';
export { prepareInsert, prepareUpsert } from './prepare-insert.ts';
export type { PreparedUpdate } from './prepare-update.ts';
export { prepareUpdate } from './prepare-update.ts';
export type { PreparedQuery } from './prepared-query.ts';
export { prepareQuery, prepareSql } from './prepared-query.ts';
export type { ExecuteSql, SqlDialect, SqlResult, SqlSession } from './session.ts';
export type { SqliteOptions } from './sqlite.ts';
export { createSqliteDatabase } from './sqlite.ts';
export type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';
export { prepareSqliteFile } from './sqlite-file.ts';
