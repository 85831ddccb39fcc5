import { LRUCache } from 'lru-cache';
import { createJobSignal } from '../job-signal.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { onceKysely } from './kysely-session.ts';
import type { SqlResult, SqlSession } from './session.ts';
import { requireRead } from './session.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite-driver.ts';
import { openSqliteFile } from './sqlite-driver.ts';

/** Settings of the SQLite adapter. */
export interface SqliteOptions {
  /** Path of the database file; made when it does not exist. */
  readonly path: string;
  /** How long a write waits for another process that writes; default 5000. */
  readonly busyTimeoutMs?: number;
  /** Opens a connection; default better-sqlite3. */
  readonly open?: (path: string, busyTimeoutMs: number) => SqliteConnection;
}

/** How many prepared statements each connection keeps. */
const STATEMENT_CACHE_SIZE = 500;

/**
 * A database in one SQLite file: one connection writes, one reads. WAL with `synchronous=FULL`, so
 * a commit that was answered survives a power cut; transactions that wait at the same time share
 * one commit.
 *
 * @throws Error naming the file when it cannot be opened or written
 */
export function createSqliteDatabase(options: SqliteOptions): SqlDatabase {
  const { path, busyTimeoutMs = 5_000, open = openSqliteFile } = options;
  const writer = configure(open(path, busyTimeoutMs), path);
  const reader = configure(open(path, busyTimeoutMs), path);
  const writes = createExecutor(writer);
  const groupCommit = createGroupCommit(writer, (callbacks, isOpen) =>
    createSession(guard(writes, isOpen), (callback) => callbacks.push(callback)),
  );
  let closed = false;
  return assembleDatabase({
    dialect: 'sqlite',
    jobSignal: createJobSignal(),
    reader: createSession(refuseWrites(createExecutor(reader)), (callback) => callback()),
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

type Executor = <Row>(sql: string, parameters: readonly unknown[]) => SqlResult<Row>;

function createExecutor(connection: SqliteConnection): Executor {
  const statements = new LRUCache<string, SqliteStatement>({ max: STATEMENT_CACHE_SIZE });
  return <Row>(sql: string, parameters: readonly unknown[]) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    if (!statement.reader) return { rows: [], changes: statement.run(...parameters).changes };
    const rows = statement.all(...parameters) as Row[];
    return { rows, changes: rows.length };
  };
}

function guard(execute: Executor, isOpen: () => boolean): Executor {
  return (sql, parameters) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    return execute(sql, parameters);
  };
}

function refuseWrites(execute: Executor): Executor {
  return (sql, parameters) => {
    requireRead(sql);
    return execute(sql, parameters);
  };
}

function createSession(execute: Executor, afterCommit: (callback: () => void) => void): SqlSession {
  const executeAsync = async <Row>(sql: string, parameters: readonly unknown[]) =>
    execute<Row>(sql, parameters);
  return {
    dialect: 'sqlite',
    execute: executeAsync,
    kysely: onceKysely('sqlite', executeAsync),
    afterCommit,
  };
}
