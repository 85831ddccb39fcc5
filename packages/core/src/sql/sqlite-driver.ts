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

type DriverName = 'better-sqlite3-13' | 'better-sqlite3';

/** Node-API 10 came with Node 22.14; without it better-sqlite3 13 ends the process. */
const REQUIRED_NAPI = 10;

/** Without the setting, the install script of version 12 downloads a binary that nothing checks. */
const INSTALL_12 = 'npm_config_build_from_source=true npm install better-sqlite3@12';

/** So it is where npm runs no install scripts. */
const NOT_COMPILED =
  `better-sqlite3 is not compiled for Node ${process.versions.node}: ` +
  'npm_config_build_from_source=true npm rebuild better-sqlite3 --ignore-scripts=false';

/** From Node 24.19 on better-sqlite3 12 and older abort the process during garbage collection. */
const FIRST_NODE_WITHOUT_12 = 24;

/**
 * Opens a database file with the better-sqlite3 line that runs on this Node: 13 (installed under
 * the name `better-sqlite3-13`, or as `better-sqlite3`) from Node-API 10 on, else 12, which is also
 * accepted up to Node 23. A pair that ends the process is refused before anything is opened.
 *
 * @throws Error that names the package to install, or why the file cannot be opened
 */
export function openSqliteFile(path: string, busyTimeoutMs: number): SqliteConnection {
  const Database = loadDriver(Number(process.versions.napi), process.versions.node);
  try {
    return new Database(path, { timeout: busyTimeoutMs });
  } catch (cause) {
    throw new Error(`The database file ${path} cannot be opened: ${reasonOf(cause)}`, { cause });
  }
}

/** Why a file cannot be opened, in one line; of a driver that was not compiled, how to do that. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  // The search for the compiled file lists a dozen paths, and does not say why there is none.
  return message.startsWith('Could not locate the bindings file') ? NOT_COMPILED : message;
}

/** Loads the driver for this Node; separate from opening, so that its choice can be tested. */
export function loadDriver(napi: number, nodeVersion: string): SqliteConstructor {
  const candidates =
    napi >= REQUIRED_NAPI
      ? (['better-sqlite3-13', 'better-sqlite3'] as const)
      : (['better-sqlite3'] as const);
  for (const name of candidates) {
    const version = versionOf(name);
    if (version === null) continue;
    const major = Number.parseInt(version, 10);
    if (!suits(major, napi, nodeVersion)) throw unsuitable(version, napi, nodeVersion);
    return requireDriver(name);
  }
  const command = napi >= REQUIRED_NAPI ? 'npm install better-sqlite3@13' : INSTALL_12;
  throw new Error(`The SQLite adapter needs better-sqlite3: ${command}`);
}

function suits(major: number, napi: number, nodeVersion: string): boolean {
  if (major >= 13) return napi >= REQUIRED_NAPI;
  return Number.parseInt(nodeVersion, 10) < FIRST_NODE_WITHOUT_12;
}

function unsuitable(version: string, napi: number, nodeVersion: string): Error {
  const pair = `better-sqlite3 ${version} ends the process on Node ${nodeVersion}: `;
  if (napi < REQUIRED_NAPI) return new Error(`${pair}${INSTALL_12}`);
  return new Error(
    `${pair}install better-sqlite3 13, or beside it ` +
      '"npm install better-sqlite3-13@npm:better-sqlite3@13", or pass `open` to ' +
      'createSqliteDatabase to open files with another driver.',
  );
}

function versionOf(name: DriverName): string | null {
  try {
    return requireManifest(name).version;
  } catch {
    return null;
  }
}

// Tracers of files recognize literal requests by a `createRequire(import.meta.url)` and no other
// form. Bundles in CommonJS have no such URL.

function requireManifest(name: DriverName): { readonly version: string } {
  if (!import.meta.url) return createRequire(__filename)(`${name}/package.json`);
  const require = createRequire(import.meta.url);
  return name === 'better-sqlite3'
    ? require('better-sqlite3/package.json')
    : require('better-sqlite3-13/package.json');
}

function requireDriver(name: DriverName): SqliteConstructor {
  if (!import.meta.url) return createRequire(__filename)(name);
  const require = createRequire(import.meta.url);
  return name === 'better-sqlite3' ? require('better-sqlite3') : require('better-sqlite3-13');
}
