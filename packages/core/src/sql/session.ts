import type { Kysely } from 'kysely';
import type { Session } from '../storage.ts';

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
  /** The statement's text never varies: PostgreSQL may keep it prepared under a name. */
  readonly prepared?: boolean;
}

/** Runs one statement; `parameters` are text, numbers, null or bytes. */
export type ExecuteSql = <Row>(
  sql: string,
  parameters: readonly unknown[],
  options?: ExecuteOptions,
) => Promise<SqlResult<Row>>;

/** A session of a SQL database. */
export interface SqlSession extends Session {
  readonly dialect: SqlDialect;
  readonly execute: ExecuteSql;
  /** A query builder on this session; the caller names the tables it uses. */
  kysely<Tables>(): Kysely<Tables>;
}
