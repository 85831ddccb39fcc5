import { LRUCache } from 'lru-cache';
import type { ExecuteOptions, SqlResult } from './session.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';

/** Number of prepared statements kept per connection. */
const STATEMENT_CACHE_SIZE = 500;

/** Runs one statement on a connection, synchronously. */
export type SqliteExecutor = <Row>(
  sql: string,
  parameters: readonly unknown[],
  options?: ExecuteOptions,
) => SqlResult<Row>;

/** A prepared statement; `columns` is null for statements that return no rows. */
interface KeptStatement {
  readonly statement: SqliteStatement;
  columns: readonly string[] | null;
}

/**
 * Caches the prepared statements of a connection.
 * @param check rejects a statement by its text, when it is first prepared
 */
export function createSqliteExecutor(
  connection: Pick<SqliteConnection, 'prepare'>,
  check: (sql: string) => void = () => undefined,
): SqliteExecutor {
  const statements = new LRUCache<string, KeptStatement>({ max: STATEMENT_CACHE_SIZE });
  function prepare(sql: string, keep = true): KeptStatement {
    check(sql);
    const statement = connection.prepare(sql);
    statement.safeIntegers?.(false);
    const kept = { statement, columns: statement.reader ? columnsOf(statement.raw(true)) : null };
    if (keep) statements.set(sql, kept);
    return kept;
  }
  return <Row>(sql: string, parameters: readonly unknown[], options?: ExecuteOptions) => {
    const kept = statements.get(sql) ?? prepare(sql, options?.keep);
    const { statement } = kept;
    if (!kept.columns) return { rows: [], changes: statement.run(...parameters).changes };
    const values = statement.all(...parameters) as unknown[][];
    // Another process may have added a column by a migration since.
    if (values[0] && values[0].length !== kept.columns.length) kept.columns = columnsOf(statement);
    const { columns } = kept;
    return { rows: values.map((row) => toRow(columns, row) as Row), changes: values.length };
  };
}

function columnsOf(statement: SqliteStatement): string[] {
  return statement.columns().map(({ name }) => name);
}

/** The driver's own objects have no stable hidden class in V8: they take 1.6 times as long. */
function toRow(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) {
    row[columns[index] as string] = values[index];
  }
  return row;
}
