import { LRUCache } from 'lru-cache';
import { createJobSignal } from '../jobs/signal.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { onceKysely } from './kysely-session.ts';
import type { ExecuteOptions, ExecuteSql, SqlResult, SqlSession } from './session.ts';
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
    reader: createSession(createExecutor(reader, requireRead), (callback) => callback()),
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

type Executor = <Row>(
  sql: string,
  parameters: readonly unknown[],
  options?: ExecuteOptions,
) => SqlResult<Row>;

/** A prepared statement; `columns` is null for those that answer no rows. */
interface KeptStatement {
  readonly statement: SqliteStatement;
  columns: readonly string[] | null;
}

/** @param check refuses a statement by its text, when it is first prepared */
function createExecutor(
  connection: SqliteConnection,
  check: (sql: string) => void = () => undefined,
): Executor {
  const statements = new LRUCache<string, KeptStatement>({ max: STATEMENT_CACHE_SIZE });
  function prepare(sql: string, keep = true): KeptStatement {
    check(sql);
    const statement = connection.prepare(sql);
    const kept = { statement, columns: statement.reader ? columnsOf(statement.raw(true)) : null };
    if (keep) statements.set(sql, kept);
    return kept;
  }
  return <Row>(sql: string, parameters: readonly unknown[], options?: ExecuteOptions) => {
    const kept = statements.get(sql) ?? prepare(sql, options?.keep);
    const { statement } = kept;
    if (!kept.columns) return { rows: [], changes: statement.run(...parameters).changes };
    const values = statement.all(...parameters) as unknown[][];
    // A migration by another process may have added a column since.
    if (values[0] && values[0].length !== kept.columns.length) kept.columns = columnsOf(statement);
    const { columns } = kept;
    return { rows: values.map((row) => toRow(columns, row) as Row), changes: values.length };
  };
}

function columnsOf(statement: SqliteStatement): string[] {
  return statement.columns().map(({ name }) => name);
}

/** The driver's own objects have no shape that V8 knows: they take 1.6 times as long. */
function toRow(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) {
    row[columns[index] as string] = values[index];
  }
  return row;
}

function guard(execute: Executor, isOpen: () => boolean): Executor {
  return (sql, parameters, options) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    return execute(sql, parameters, options);
  };
}

function createSession(execute: Executor, afterCommit: (callback: () => void) => void): SqlSession {
  const executeAsync: ExecuteSql = async (sql, parameters, options) =>
    execute(sql, parameters, options);
  return {
    dialect: 'sqlite',
    execute: executeAsync,
    kysely: onceKysely('sqlite', executeAsync),
    afterCommit,
  };
}
