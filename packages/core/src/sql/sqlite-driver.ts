import { createRequire } from 'node:module';

/** The part of better-sqlite3's Database that the adapter uses. */
export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(text: string, options?: { simple?: boolean }): unknown;
  readonly inTransaction: boolean;
  close(): unknown;
}

/** The part of better-sqlite3's Statement that the adapter uses. */
export interface SqliteStatement {
  /** Whether the statement returns rows. */
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  /** Makes `all` return arrays of values instead of objects; returns the statement itself. */
  raw(toggle: boolean): SqliteStatement;
  /** Whether integers are returned as bigint; the connection's default may say so. */
  safeIntegers?(toggle: boolean): unknown;
  /** The columns of the rows, in order. */
  columns(): ReadonlyArray<{ readonly name: string }>;
  run(...parameters: unknown[]): { changes: number };
}

type SqliteConstructor = new (
  path: string,
  options?: { timeout?: number; fileMustExist?: boolean },
) => SqliteConnection;

const require = createRequire(import.meta.url);

/** Node-API 10 came with Node 22.14; without it better-sqlite3 13 ends the process. */
const REQUIRED_NAPI = 10;

/**
 * Opens a database file with the better-sqlite3 line that runs on this Node: 13 (installed under
 * the name `better-sqlite3-13`, or as `better-sqlite3`) from Node-API 10 on, else 12.
 * Version 13 crashes Node 20, and version 12 can abort Node 24 while it collects garbage, so the
 * wrong pair is refused before anything is opened.
 *
 * @throws Error that names the package to install, or why the file cannot be opened
 */
export function openSqliteFile(path: string, busyTimeoutMs: number): SqliteConnection {
  const Database = loadDriver(Number(process.versions.napi), process.versions.node);
  try {
    return new Database(path, { timeout: busyTimeoutMs });
  } catch (cause) {
    throw new Error(`The database file ${path} cannot be opened: ${messageOf(cause)}`, { cause });
  }
}

/** Loads the driver for this Node; separate from opening, so that its choice can be tested. */
export function loadDriver(napi: number, nodeVersion: string): SqliteConstructor {
  const candidates =
    napi >= REQUIRED_NAPI ? ['better-sqlite3-13', 'better-sqlite3'] : ['better-sqlite3'];
  for (const name of candidates) {
    const version = versionOf(name);
    if (version === null) continue;
    const major = Number(version.split('.')[0]);
    if (!suits(major, napi)) {
      throw new Error(
        `better-sqlite3 ${version} does not run on Node ${nodeVersion}: install ` +
          (napi >= REQUIRED_NAPI ? 'better-sqlite3 13.' : 'better-sqlite3 12.'),
      );
    }
    return require(name) as SqliteConstructor;
  }
  throw new Error(
    `The SQLite adapter needs better-sqlite3: npm install better-sqlite3@${napi >= REQUIRED_NAPI ? 13 : 12}`,
  );
}

function suits(major: number, napi: number): boolean {
  return napi >= REQUIRED_NAPI ? major >= 13 : major <= 12;
}

function versionOf(name: string): string | null {
  try {
    return (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    return null;
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
