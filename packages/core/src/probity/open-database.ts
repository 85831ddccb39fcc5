import type { Logger } from '../logging/logger.ts';
import { parseDatabaseUrl } from '../settings.ts';
import type { HostKysely, HostSqlite, PgPool } from '../sql/host.ts';
import type { SqliteConnection } from '../sql/sqlite-driver.ts';
import type { Database } from '../storage/database.ts';
import { createMemoryDatabase } from '../storage/memory.ts';
import type { DatabaseOption } from './database-option.ts';
import { nameMissing } from './missing-package.ts';

/** A database that is open, and where its key file belongs. */
export interface OpenDatabase {
  readonly database: Database;
  /** Default path of the key file; null when secrets live no longer than the process. */
  readonly keyFilePath: string | null;
  /** Whether closing is up to Probity. */
  readonly isOwn: boolean;
}

/** Key file of databases that are not a file. */
export const KEY_FILE = 'probity.key';

/**
 * Opens the database that an option describes. Drivers are loaded here, so that none is needed but
 * that of the database in use.
 *
 * @throws TypeError for an option of no known form
 * @throws Error that names the package to install, the file or the server
 */
export async function openDatabase(option: DatabaseOption, logger: Logger): Promise<OpenDatabase> {
  if (option === 'memory') {
    return { database: createMemoryDatabase(), keyFilePath: null, isOwn: true };
  }
  if (typeof option === 'string') return openUrl(option, logger);
  if (isDatabase(option)) return { database: option, keyFilePath: KEY_FILE, isOwn: false };
  const sql = await loadSql();
  if (isHostSqlite(option)) {
    const path = filePathOf(option);
    const database = sql.createSqliteDatabase({ path, open: openLike(option) });
    return { database, keyFilePath: `${path}.key`, isOwn: true };
  }
  if (isPool(option)) {
    const database = sql.createPostgresDatabase({ pool: option, logger });
    return { database, keyFilePath: KEY_FILE, isOwn: true };
  }
  if (isKysely(option)) {
    const database = sql.createKyselyDatabase(option);
    return { database, keyFilePath: KEY_FILE, isOwn: true };
  }
  throw new TypeError(
    'createProbity: database must be "sqlite:PATH", "postgres://…", "memory", a pg Pool, a Kysely, ' +
      'a better-sqlite3 Database, or a database of @probity/core/sql.',
  );
}

async function openUrl(text: string, logger: Logger): Promise<OpenDatabase> {
  const location = readUrl(text);
  if (location.kind === 'sqlite' && location.path === ':memory:') throw inMemory();
  const sql = await loadSql();
  if (location.kind === 'postgres') {
    const database = sql.createPostgresDatabase({ url: location.url, logger });
    return { database, keyFilePath: KEY_FILE, isOwn: true };
  }
  sql.prepareSqliteFile(location.path);
  const database = sql.createSqliteDatabase({ path: location.path });
  return { database, keyFilePath: `${location.path}.key`, isOwn: true };
}

function readUrl(text: string) {
  try {
    return parseDatabaseUrl(text);
  } catch (cause) {
    throw new TypeError(`createProbity: database ${(cause as Error).message}, or memory.`, {
      cause,
    });
  }
}

/** Loads the SQL adapters. @throws Error that says what to install */
async function loadSql() {
  return import('../sql/index.ts').catch((cause: unknown) => {
    throw nameMissing(cause, 'kysely', 'A SQL database');
  });
}

function isDatabase(option: object): option is Database {
  return 'kernel' in option && 'lockTenant' in option;
}

function isHostSqlite(option: object): option is HostSqlite {
  return 'prepare' in option && 'pragma' in option && 'memory' in option;
}

function isPool(option: object): option is PgPool {
  return 'connect' in option && 'query' in option && 'totalCount' in option;
}

function isKysely(option: object): option is HostKysely {
  return 'getExecutor' in option && 'transaction' in option;
}

function filePathOf({ name, memory }: HostSqlite): string {
  if (!memory && name !== '') return name;
  throw inMemory();
}

function inMemory(): TypeError {
  return new TypeError(
    'createProbity: a SQLite database in memory has one connection only; Probity needs a file, or ' +
      'database: "memory".',
  );
}

/** Opens connections with the host's own build of better-sqlite3. */
function openLike(option: HostSqlite) {
  const Sqlite = option.constructor as new (
    path: string,
    options: { timeout: number },
  ) => SqliteConnection;
  return (path: string, timeout: number) => new Sqlite(path, { timeout });
}
