import type { Kysely } from 'kysely';
import type { Session } from '../storage/database.ts';

/** The databases that the one SQL source runs on. */
export type SqlDialect = 'sqlite' | 'postgres';

/** What a statement answered. */
export interface SqlResult<Row> {
  readonly rows: Row[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
}

/** How a statement is run. */
export interface ExecuteOptions {
  /** Name of a statement whose text never varies; PostgreSQL keeps it prepared under the name. */
  readonly name?: string;
  /** Whether SQLite keeps the statement prepared; default true. False where the text varies widely. */
  readonly keep?: boolean;
}

/** Runs one statement; `parameters` are text, numbers, null or bytes. */
export type ExecuteSql = <Row>(
  sql: string,
  parameters: readonly unknown[],
  options?: ExecuteOptions,
) => Promise<SqlResult<Row>>;

/** Holds the sessions outside transactions to reading. @throws Error for any other statement */
export function requireRead(sql: string): void {
  if (!/^\s*(?:select|with|pragma|explain)\b/i.test(sql)) {
    throw new Error('Writes need a transaction.');
  }
}

/** A session of a SQL database. */
export interface SqlSession extends Session {
  readonly dialect: SqlDialect;
  readonly execute: ExecuteSql;
  /** A query builder on this session; the caller names the tables it uses. */
  kysely<Tables>(): Kysely<Tables>;
}
