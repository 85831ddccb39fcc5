import { createJobSignal } from '../jobs/signal.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { onceKysely } from './kysely-session.ts';
import type { ExecuteSql, SqlSession } from './session.ts';
import { requireRead } from './session.ts';
import type { SqliteConnection } from './sqlite-driver.ts';
import { openSqliteFile } from './sqlite-driver.ts';
import type { SqliteExecutor } from './sqlite-executor.ts';
import { createSqliteExecutor } from './sqlite-executor.ts';

/** Settings of the SQLite adapter. */
export interface SqliteOptions {
  /** Path of the database file; created when it does not exist. */
  readonly path: string;
  /** How long a write waits for another writing process, in milliseconds; default 5000. */
  readonly busyTimeoutMs?: number;
  /** Opens a connection; default better-sqlite3. */
  readonly open?: (path: string, busyTimeoutMs: number) => SqliteConnection;
}

/**
 * A database in one SQLite file: one connection writes, one reads. WAL with `synchronous=FULL`, so
 * a confirmed commit survives a power failure; transactions that wait at the same time share one
 * commit.
 *
 * @throws Error naming the file when it cannot be opened or written
 */
export function createSqliteDatabase(options: SqliteOptions): SqlDatabase {
  const { path, busyTimeoutMs = 5_000, open = openSqliteFile } = options;
  const writer = configure(open(path, busyTimeoutMs), path);
  const reader = configure(open(path, busyTimeoutMs), path);
  const writes = createSqliteExecutor(writer);
  const groupCommit = createGroupCommit(writer, (callbacks, isOpen) =>
    createSession(guard(writes, isOpen), (callback) => callbacks.push(callback)),
  );
  let closed = false;
  return assembleDatabase({
    dialect: 'sqlite',
    jobSignal: createJobSignal(),
    reader: createSession(createSqliteExecutor(reader, requireRead), (callback) => callback()),
    transaction: (work) => groupCommit.submit(work),
    async close() {
      if (closed) return;
      closed = true;
      await groupCommit.close();
      reader.close();
      writer.pragma('wal_checkpoint(TRUNCATE)');
      writer.close();
    },
  });
}

function configure(connection: SqliteConnection, path: string): SqliteConnection {
  try {
    connection.pragma('journal_mode = WAL');
    // After WAL, on every connection: better-sqlite3 is built to fall back to NORMAL otherwise.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    return connection;
  } catch (cause) {
    connection.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database file ${path} cannot be written: ${reason}`, { cause });
  }
}

function guard(execute: SqliteExecutor, isOpen: () => boolean): SqliteExecutor {
  return (sql, parameters, options) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    return execute(sql, parameters, options);
  };
}

function createSession(
  execute: SqliteExecutor,
  afterCommit: (callback: () => void) => void,
): SqlSession {
  const executeAsync: ExecuteSql = async (sql, parameters, options) =>
    execute(sql, parameters, options);
  return {
    dialect: 'sqlite',
    execute: executeAsync,
    kysely: onceKysely('sqlite', executeAsync),
    afterCommit,
  };
}
