import { join } from 'node:path';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';
import type { SqliteConnection, SqliteStatement } from '../../src/sql/sqlite-driver.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';

/** A SQLite database whose connections the test sees. */
export interface WatchedDatabase {
  readonly path: string;
  readonly database: SqlDatabase;
  /** The writing one first. */
  readonly connections: readonly SqliteConnection[];
  /** Everything that was run and answers no rows, on all connections. */
  readonly executed: string[];
  /** Every statement that was prepared, on all connections. */
  readonly prepared: string[];
}

/** Opens a new file with a table `entries (id, text)`, or a second time the one at `path`. */
export async function openWatched(
  test: TestLifetime,
  options: { path?: string; busyTimeoutMs?: number } = {},
): Promise<WatchedDatabase> {
  const path = options.path ?? join(temporaryFolder(test, 'disk').path, 'test.db');
  const connections: SqliteConnection[] = [];
  const executed: string[] = [];
  const prepared: string[] = [];
  const database = createSqliteDatabase({
    path,
    busyTimeoutMs: options.busyTimeoutMs ?? 50,
    open(file, busyTimeoutMs) {
      const connection = openSqliteFile(file, busyTimeoutMs);
      connections.push(connection);
      return watch(connection, executed, prepared);
    },
  });
  test.after(() => database.close());
  await database.transaction((session) =>
    session.execute('create table if not exists entries (id integer primary key, text text)', []),
  );
  executed.length = 0;
  return { path, database, connections, executed, prepared };
}

function watch(
  connection: SqliteConnection,
  executed: string[],
  prepared: string[],
): SqliteConnection {
  return {
    prepare(sql) {
      prepared.push(sql);
      const statement = connection.prepare(sql);
      const watched: SqliteStatement = {
        reader: statement.reader,
        all: (...parameters) => statement.all(...parameters),
        raw(toggle) {
          statement.raw(toggle);
          return watched;
        },
        columns: () => statement.columns(),
        run(...parameters) {
          executed.push(sql);
          return statement.run(...parameters);
        },
      };
      return watched;
    },
    exec(sql) {
      executed.push(sql);
      return connection.exec(sql);
    },
    pragma: (text, options) => connection.pragma(text, options),
    get inTransaction() {
      return connection.inTransaction;
    },
    close: () => connection.close(),
  };
}

/** Adds an entry in a separate transaction. */
export function addEntry(database: SqlDatabase, text = ''): Promise<unknown> {
  return database.transaction((session) =>
    session.execute('insert into entries (text) values (?)', [text]),
  );
}

/** How many entries are committed. */
export async function countEntries(database: SqlDatabase): Promise<number> {
  const { rows } = await database.reader.execute<{ n: number }>(
    'select count(*) as n from entries',
    [],
  );
  return rows[0]?.n ?? -1;
}
