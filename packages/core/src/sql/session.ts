import type { Kysely } from 'kysely';
import type { DatabaseSession } from '../storage/database.ts';

/** The databases that the shared SQL code supports. */
export type SqlDialect = 'sqlite' | 'postgres';

/** Result of a statement. */
export interface SqlResult<Row> {
  readonly rows: Row[];
  /** Number of rows inserted, updated or deleted. */
  readonly changes: number;
}

/** Options of a statement. */
export interface ExecuteOptions {
  /** Name of a statement with constant text; PostgreSQL keeps it prepared under the name. */
  readonly name?: string;
  /**
   * Whether SQLite keeps the statement prepared; default true. False when the text varies widely.
   */
  readonly keep?: boolean;
}

/** Runs one statement; `parameters` are text, numbers, null or bytes. */
export type ExecuteSql = <Row>(
  sql: string,
  parameters: readonly unknown[],
  options?: ExecuteOptions,
) => Promise<SqlResult<Row>>;

/** Restricts sessions outside transactions to reads. @throws Error for any other statement */
export function requireRead(sql: string): void {
  if (!/^\s*(?:select|with|pragma|explain)\b/i.test(sql)) {
    throw new Error('Writes need a transaction.');
  }
}

/** A session of a SQL database. */
export interface SqlSession extends DatabaseSession {
  readonly dialect: SqlDialect;
  readonly execute: ExecuteSql;
  /** A query builder on this session; the caller names the tables it uses. */
  kysely<Tables>(): Kysely<Tables>;
}
