import type { PostgresOptions, SqlDatabase } from '@probity/core/sql';
import { createPostgresDatabase, createSqliteDatabase } from '@probity/core/sql';

const SQLITE = 'sqlite:';

/** Opens the database at a location, as a person with direct access could. */
export function openDatabase(
  location: string,
  postgres: Omit<PostgresOptions, 'url'> = { poolSize: 1 },
): SqlDatabase {
  return location.startsWith(SQLITE)
    ? createSqliteDatabase({ path: location.slice(SQLITE.length) })
    : createPostgresDatabase({ url: location, ...postgres });
}

/** Runs work on the database at a location, and closes it. */
export function withDatabase<T>(
  location: string,
  work: (database: SqlDatabase) => Promise<T>,
): Promise<T> {
  const database = openDatabase(location);
  return work(database).finally(() => database.close());
}

/** The names of all tables. */
export async function tableNames({ reader, dialect }: SqlDatabase): Promise<string[]> {
  const sql =
    dialect === 'sqlite'
      ? "select name from sqlite_master where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'";
  const { rows } = await reader.execute<{ name: string }>(sql, []);
  return rows.map(({ name }) => name);
}
