import type { SelectQueryBuilder } from 'kysely';
import type { SqlDialect } from './session.ts';

/**
 * The few differences between the databases. Values are stored in one form on both: times as
 * milliseconds since 1970 (bigint), booleans as 0 and 1, JSON and sealed secrets as text.
 */

/**
 * Locks the rows read until the transaction ends; on SQLite the writer holds the whole database.
 */
export function forUpdate<DB, Table extends keyof DB, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forUpdate() : query;
}

/**
 * Keeps the rows of these tables from being deleted, and from being locked by {@link forUpdate}, until
 * the transaction ends, which any number of transactions can do at once. Updates go on, so one that
 * must wait locks its row with {@link forUpdate} first.
 * @param tables in the order of the locks: what others lock first comes first
 */
export function forKeyShare<DB, Table extends keyof DB & string, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
  tables: Array<Table>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forKeyShare(tables as never) : query;
}

/**
 * Locks the rows read for an update that {@link forKeyShare} need not wait for; skips rows that another
 * transaction changes, or has locked with {@link forUpdate}.
 */
export function forNoKeyUpdateSkipLocked<DB, Table extends keyof DB, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query;
}

/** Like {@link forUpdate}, skipping rows that another transaction has locked. */
export function forUpdateSkipLocked<DB, Table extends keyof DB, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query;
}

/** Whether `error` is a violation of the unique index on `columns`. */
export function isUniqueViolation(
  error: unknown,
  table: string,
  columns: readonly string[],
): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (code === '23505') return constraint === uniqueIndexName(table, columns);
  const violated = columns.map((column) => `${table}.${column}`).join(', ');
  return error.message === `UNIQUE constraint failed: ${violated}`;
}

/** Whether `error` reports a foreign key without its row. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/**
 * Name of the unique index on `columns`; migrations use it, so that PostgreSQL's errors name it.
 */
export function uniqueIndexName(table: string, columns: readonly string[]): string {
  return `${table}_${columns.join('_')}_unique`;
}

/** Converts a stored time to a Date. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

/** Converts a nullable stored time to a Date or null. */
export function toDateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
