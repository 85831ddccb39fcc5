import type { SqlDatabase } from '../../sql/database.ts';
import { onceKysely } from '../../sql/kysely-session.ts';
import type { ExecuteSql, SqlSession } from '../../sql/session.ts';

/** Receives the text and the parameters of a statement before it runs. */
export type StatementListener = (sql: string, parameters: readonly unknown[]) => void;

/**
 * The same database; every statement of its sessions is also passed to `listener`.
 * @param onRows receives the number of rows that a statement has returned
 */
export function recordStatements(
  database: SqlDatabase,
  listener: StatementListener,
  onRows: (count: number) => void = () => undefined,
): SqlDatabase {
  const record = (session: SqlSession): SqlSession => {
    const execute: ExecuteSql = async (sql, parameters, options) => {
      listener(sql, parameters);
      const result = await session.execute<never>(sql, parameters, options);
      onRows(result.rows.length);
      return result;
    };
    return { ...session, execute, kysely: onceKysely(session.dialect, execute) };
  };
  return {
    ...database,
    reader: record(database.reader),
    transaction: (work, options) =>
      database.transaction((session) => work(record(session)), options),
  };
}
