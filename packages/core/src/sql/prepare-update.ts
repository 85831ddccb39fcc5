import { createSessionKysely } from './kysely-session.ts';
import { refuseExecution, statementName } from './prepared-query.ts';
import type { SqlDialect, SqlSession } from './session.ts';

/**
 * Changes columns of the row with this key, and returns the columns that the update was prepared to return; nothing when
 * there is no such row.
 */
export type PreparedUpdate<Row, Key extends keyof Row, Returned extends keyof Row> = (
  session: SqlSession,
  key: Pick<Row, Key>,
  changes: Partial<Row>,
) => Promise<Array<Pick<Row, Returned>>>;

/**
 * Prepares updates of a row of `table`, each compiled once per dialect and set of changed columns. Columns that keep
 * their value are best left out: SQLite writes the indexes of every column that is named.
 *
 * @param key the columns that select the row
 * @param returned the columns to return of the changed row
 * @throws TypeError (the function returned) when nothing is changed
 *
 * @example
 * const updateAlert = prepareUpdate<AlertRow, 'id', 'id'>('probity_alerts', ['id'], ['id']);
 * const [found] = await updateAlert(session, { id: 'alr_1' }, { message: 'A card number' });
 */
export function prepareUpdate<
  Row extends object,
  Key extends keyof Row & string,
  Returned extends keyof Row & string,
>(
  table: string,
  key: readonly Key[],
  returned: readonly Returned[],
): PreparedUpdate<Row, Key, Returned> {
  const prepared: Record<SqlDialect, Map<string, Statement>> = {
    sqlite: new Map(),
    postgres: new Map(),
  };
  return async ({ dialect, execute }, own, changes) => {
    const columns = Object.keys(changes);
    if (columns.length === 0) throw new TypeError(`An update of ${table} changes no column`);
    const statements = prepared[dialect];
    const list = columns.join();
    let statement = statements.get(list);
    if (!statement) {
      statement = compile(dialect, { table, columns, key, returned });
      statements.set(list, statement);
    }
    const { sql, name } = statement;
    const parameters = [...Object.values(changes), ...key.map((column) => own[column])];
    return (await execute<Pick<Row, Returned>>(sql, parameters, { name })).rows;
  };
}

interface Statement {
  readonly sql: string;
  readonly name: string;
}

interface Update {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly returned: readonly string[];
}

/** Its parameters are the values of the columns, then those of the key. */
function compile(dialect: SqlDialect, { table, columns, key, returned }: Update): Statement {
  // For tables of any type the compiler cannot infer the columns.
  const db = createSessionKysely<Record<string, Record<string, string>>>(dialect, refuseExecution);
  const changes = Object.fromEntries(columns.map((column) => [column, '']));
  const update = key.reduce(
    (query, column) => query.where(column, '=', ''),
    db.updateTable(table).set(changes),
  );
  const { sql } = update.returning([...returned]).compile();
  return { sql, name: statementName(sql) };
}
