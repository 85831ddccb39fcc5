import type { SqlDatabase } from '../../sql/database.ts';
import { onceKysely } from '../../sql/kysely-session.ts';
import type { ExecuteSql, SqlSession } from '../../sql/session.ts';

/** Receives the text and the parameters of a statement before it runs. */
export type StatementListener = (sql: string, parameters: readonly unknown[]) => void;

/** The same database; every statement of its sessions is also passed to `listener`. */
export function recordStatements(database: SqlDatabase, listener: StatementListener): SqlDatabase {
  const record = (session: SqlSession): SqlSession => {
    const execute: ExecuteSql = (sql, parameters, options) => {
      listener(sql, parameters);
      return session.execute(sql, parameters, options);
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
