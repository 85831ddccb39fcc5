import { statementName } from './prepared-query.ts';
import type { ExecuteOptions, SqlDialect, SqlSession } from './session.ts';

/**
 * Maximum parameters of a statement: SQLITE_MAX_VARIABLE_NUMBER, and the 16 bits in which
 * PostgreSQL's protocol counts them.
 */
const MAX_PARAMETERS: Readonly<Record<SqlDialect, number>> = { sqlite: 32_766, postgres: 65_535 };

/**
 * Statements of at most this many rows recur and stay prepared; larger ones would fill the caches.
 */
const MAX_KEPT_ROWS: Readonly<Record<SqlDialect, number>> = { sqlite: 16, postgres: 8 };

/**
 * Up to this many rows are inserted by kept statements on SQLite, where compiling a statement of many rows takes longer
 * than running a few statements.
 */
const MAX_ROWS_BY_PARTS = 256;

/** Handling of existing rows, and the columns to return. */
export interface InsertManyOptions<Row, Key extends keyof Row & string = never> {
  /**
   * The columns of a unique index: a row whose values already exist, in the table or in an earlier
   * row of the same call, is skipped. Without it such a row is an error.
   */
  readonly onConflictDoNothing?: ReadonlyArray<keyof Row & string>;
  /** Columns to return of the inserted rows; none by default. */
  readonly returning?: readonly Key[];
}

/**
 * Inserts rows with few statements, as the database's parameter limit allows: 5,000 rows of 8
 * columns are two statements on SQLite and one on PostgreSQL. All rows have the columns of the
 * first. No rows run no statement.
 *
 * @returns the `returning` columns of the inserted rows, in no particular order
 * @throws TypeError when a row lacks a column; nothing has been inserted then
 *
 * @example
 * const inserted = await insertMany(session, 'probity_webhook_deliveries', deliveries.map(toRow), {
 *   onConflictDoNothing: ['event_id', 'webhook_id'],
 *   returning: ['id'],
 * });
 */
export async function insertMany<Row extends object, Key extends keyof Row & string = never>(
  session: SqlSession,
  table: string,
  rows: readonly Row[],
  options: InsertManyOptions<Row, Key> = {},
): Promise<Array<Pick<Row, Key>>> {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.keys(first) as Array<keyof Row & string>;
  const values = rows.map((row) => columns.map((column) => requireValue(table, row, column)));
  const size = statementSize(session.dialect, rows.length, columns.length);
  const inserted: Array<Pick<Row, Key>> = [];
  for (let start = 0; start < rows.length; start += size) {
    const chunk = values.slice(start, start + size);
    const { sql, ...kept } = statementFor(session.dialect, table, columns, chunk.length, options);
    const result = await session.execute<Pick<Row, Key>>(sql, chunk.flat(), kept);
    for (const row of result.rows) inserted.push(row);
  }
  return inserted;
}

/** Number of rows of one statement. */
function statementSize(dialect: SqlDialect, rows: number, columns: number): number {
  const byParts = dialect === 'sqlite' && rows <= MAX_ROWS_BY_PARTS;
  return byParts ? MAX_KEPT_ROWS.sqlite : Math.floor(MAX_PARAMETERS[dialect] / columns);
}

function requireValue<Row>(table: string, row: Row, column: keyof Row & string): unknown {
  const value = row[column];
  if (value === undefined) throw new TypeError(`A row for ${table} has no value for ${column}`);
  return value;
}

/** A statement with its execution options. */
interface Statement extends ExecuteOptions {
  readonly sql: string;
}

/** Cached statements of few rows: 16 at most for each use of a table. */
const keptStatements = new Map<string, Statement>();

function statementFor<Row, Key extends keyof Row & string>(
  dialect: SqlDialect,
  table: string,
  columns: readonly string[],
  count: number,
  options: InsertManyOptions<Row, Key>,
): Statement {
  if (count > MAX_KEPT_ROWS[dialect]) {
    return { sql: toStatement(dialect, table, columns, count, options), keep: false };
  }
  const { onConflictDoNothing = [], returning = [] } = options;
  const key = [dialect, table, count, columns, '!', onConflictDoNothing, '!', returning].join();
  const kept = keptStatements.get(key);
  if (kept) return kept;
  const sql = toStatement(dialect, table, columns, count, options);
  const statement = { sql, name: statementName(sql) };
  keptStatements.set(key, statement);
  return statement;
}

function toStatement<Row, Key extends keyof Row & string>(
  dialect: SqlDialect,
  table: string,
  columns: readonly string[],
  count: number,
  { onConflictDoNothing, returning }: InsertManyOptions<Row, Key>,
): string {
  const width = columns.length;
  const tuples = Array.from({ length: count }, (_, row) => {
    const places = columns.map((_column, index) =>
      dialect === 'sqlite' ? '?' : `$${row * width + index + 1}`,
    );
    return `(${places.join(', ')})`;
  });
  return [
    `insert into ${quote(table)} (${list(columns)}) values ${tuples.join(', ')}`,
    ...(onConflictDoNothing ? [`on conflict (${list(onConflictDoNothing)}) do nothing`] : []),
    ...(returning ? [`returning ${list(returning)}`] : []),
  ].join(' ');
}

function list(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
