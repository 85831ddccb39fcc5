import { createJobSignal } from '../jobs/signal.ts';
import type { BusyWait } from './busy.ts';
import { createBusyWait, isBusy, retryWhileBusy } from './busy.ts';
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
  /**
   * How long a transaction waits for one of another connection, in milliseconds; default 5000. The
   * event loop is not blocked meanwhile.
   */
  readonly busyTimeoutMs?: number | undefined;
  /** Opens a connection, without a busy timeout (0); default better-sqlite3. */
  readonly open?: ((path: string, busyTimeoutMs: number) => SqliteConnection) | undefined;
}

/**
 * A database in one SQLite file: one connection writes, one reads. WAL with `synchronous=FULL`, so
 * a confirmed commit survives a power failure, unless it may be deferred; transactions that wait at the same time share one
 * commit. A transaction that another connection holds open delays ours, but never the event loop.
 *
 * @throws Error naming the file when it cannot be opened or written
 */
export function createSqliteDatabase(options: SqliteOptions): SqlDatabase {
  const { path, busyTimeoutMs = 5_000, open = openSqliteFile } = options;
  const busy = createBusyWait(path, busyTimeoutMs);
  const writer = open(path, 0);
  const reader = open(path, 0);
  const settings = createConnectionSettings(path, [writer, reader]);
  const writes = createSqliteExecutor(writer);
  const reads = createSqliteExecutor(reader, requireRead);
  const groupCommit = createGroupCommit(
    writer,
    (callbacks, isOpen) => {
      // A full disk ends the transaction: what follows would be committed by itself.
      const isUsable = () => isOpen() && writer.inTransaction;
      return createSession(guard(writes, isUsable), (callback) => callbacks.push(callback));
    },
    busy,
  );
  let closed = false;
  return assembleDatabase({
    dialect: 'sqlite',
    jobSignal: createJobSignal(),
    reader: createSession(waitForReads(reads, settings, busy), (callback) => callback()),
    transaction: (work, options) =>
      settings.areApplied
        ? groupCommit.submit(work, options)
        : retryWhileBusy(busy, settings.apply).then(() => groupCommit.submit(work, options)),
    async close() {
      if (closed) return;
      closed = true;
      await groupCommit.close();
      reader.close();
      // No effect while another connection is in use: the last one to close completes the file.
      writer.pragma('wal_checkpoint(TRUNCATE)');
      writer.close();
    },
  });
}

interface ConnectionSettings {
  readonly areApplied: boolean;
  /** Applies the settings unless they are. @throws Error `SQLITE_BUSY` if the file is locked */
  apply(): void;
}

/**
 * Applies the settings of the connections at once, or later if the file is locked: a file of the
 * host that is not in WAL yet cannot be changed while a transaction is open.
 */
function createConnectionSettings(
  path: string,
  connections: readonly SqliteConnection[],
): ConnectionSettings {
  let areApplied = false;
  const settings = {
    get areApplied() {
      return areApplied;
    },
    apply() {
      if (areApplied) return;
      for (const connection of connections) configure(connection);
      areApplied = true;
    },
  };
  try {
    settings.apply();
  } catch (cause) {
    if (isBusy(cause)) return settings;
    for (const connection of connections) connection.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database file ${path} cannot be written: ${reason}`, { cause });
  }
  return settings;
}

function configure(connection: SqliteConnection): void {
  // First: a driver of the host may have opened the connection with its own default.
  connection.pragma('busy_timeout = 0');
  connection.pragma('journal_mode = WAL');
  // After WAL, on every connection: better-sqlite3 is built to fall back to NORMAL otherwise.
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
}

function guard(execute: SqliteExecutor, isOpen: () => boolean): ExecuteSql {
  return async (sql, parameters, options) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    return execute(sql, parameters, options);
  };
}

/** Repeats a read while another connection recovers or deletes the log, or leaves rollback mode. */
function waitForReads(
  execute: SqliteExecutor,
  settings: ConnectionSettings,
  busy: BusyWait,
): ExecuteSql {
  return <Row>(...[sql, parameters, options]: Parameters<ExecuteSql>) => {
    const read = () => {
      settings.apply();
      return execute<Row>(sql, parameters, options);
    };
    try {
      return Promise.resolve(read());
    } catch (error) {
      return isBusy(error) ? retryWhileBusy(busy, read) : Promise.reject(error);
    }
  };
}

function createSession(
  execute: ExecuteSql,
  afterCommit: (callback: () => void) => void,
): SqlSession {
  return { dialect: 'sqlite', execute, kysely: onceKysely('sqlite', execute), afterCommit };
}
