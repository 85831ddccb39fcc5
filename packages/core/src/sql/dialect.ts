import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from './session.ts';

/**
 * The few places where the databases differ. Values are stored in one form on both: times as
 * milliseconds since 1970 (bigint), booleans as 0 and 1, JSON and sealed secrets as text.
 */

/** Locks the rows read until the transaction ends; SQLite's writer holds the whole database already. */
export function forUpdate<DB, Table extends keyof DB, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forUpdate() : query;
}

/** Like {@link forUpdate}, leaving out rows that another transaction has locked. */
export function forUpdateSkipLocked<DB, Table extends keyof DB, Row>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> {
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query;
}

/** A member of the JSON object that a text column holds, as text; null where it has none. */
export function jsonMember(
  dialect: SqlDialect,
  column: string,
  member: string,
): RawBuilder<string | null> {
  const json = sql.ref(column);
  return dialect === 'sqlite'
    ? sql`json_extract(${json}, ${`$.${member}`})`
    : sql`(cast(${json} as json) ->> ${sql.lit(member)})`;
}

/** Whether `error` says that a row with these values of the unique `columns` exists already. */
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

/** Whether `error` says that a row refers to one that does not exist (any more). */
export function isForeignKeyViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** Name of the unique index on `columns`; migrations use it, so that PostgreSQL's errors name it. */
export function uniqueIndexName(table: string, columns: readonly string[]): string {
  return `${table}_${columns.join('_')}_unique`;
}

/** A stored time as a Date. */
export function toDate(milliseconds: number): Date {
  return new Date(milliseconds);
}

/** A stored time that may be absent as a Date. */
export function toDateOrNull(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
