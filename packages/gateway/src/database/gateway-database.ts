import type { Clock, Logger, Metrics } from '@probity/core';
import type { DatabaseLocation } from '@probity/core/internal';
import type { Migration, SqlDatabase, SqlSession } from '@probity/core/sql';
import type { GatewayConfig } from '../config/read-config.ts';
import type { StatementType } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { OwnPool, PoolSettings } from './postgres-pool.ts';

/** How a dependency is, as probes show it: a check text without secrets. */
export type CheckText = string;

/** The database of the audit table; a database that is down is tried again with each use. */
export interface GatewayDatabase {
  /** Whether it has answered since the start. */
  readonly hasBeenUp: boolean;
  /** `ok`, `error: …`, or `starting` before the first answer. */
  readonly check: CheckText;
  /** Connections that are kept. */
  readonly poolSize: number;
  /** Runs a transaction, counted as one statement of a type. */
  write<Result>(
    type: StatementType,
    work: (session: SqlSession) => Promise<Result>,
  ): Promise<Result>;
  read<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result>;
  /** Asks whether it answers, for `check`; never rejects. */
  probe(): Promise<void>;
  /** Uses other settings from now on; what is under way ends under the former. */
  use(settings: PoolSettings): void;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Dependencies of a database. */
export interface GatewayDatabaseOptions {
  readonly location: DatabaseLocation;
  readonly settings: GatewayConfig['database'];
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface Opened {
  readonly database: SqlDatabase;
  close(): Promise<void>;
}

/** Makes the database; drivers are loaded, and the table is made, by the first use. */
export function createGatewayDatabase(options: GatewayDatabaseOptions): GatewayDatabase {
  const { location, clock, logger, metrics } = options;
  let settings = options.settings;
  let opening: Promise<Opened> | null = null;
  let hasBeenUp = false;
  let check: CheckText = 'starting';
  let closed = false;
  const open = (): Promise<Opened> => {
    if (closed) return Promise.reject(new Error('the database is closed'));
    if (opening) return opening;
    const attempt = openDatabase(options, settings);
    opening = attempt;
    attempt.catch(() => {
      if (opening === attempt) opening = null;
    });
    return attempt;
  };
  const run = async <Result>(work: (database: SqlDatabase) => Promise<Result>) => {
    try {
      const { database } = await open();
      const result = await work(database);
      if (check.startsWith('error')) logger.info('the database answers again');
      check = 'ok';
      hasBeenUp = true;
      return result;
    } catch (error) {
      if (!check.startsWith('error')) logger.error('the database does not answer', { error });
      check = checkTextOf(error);
      throw error;
    }
  };
  const measured = async <Result>(type: StatementType, work: () => Promise<Result>) => {
    const startedAtMs = clock.monotonicMs();
    try {
      return await work();
    } finally {
      metrics.count(METRICS.databaseQueries, { type });
      metrics.observe(METRICS.databaseDuration, {}, (clock.monotonicMs() - startedAtMs) / 1_000);
    }
  };
  const end = async () => {
    const last = opening;
    opening = null;
    await last?.then(
      ({ close }) => close(),
      () => undefined,
    );
  };
  return {
    get hasBeenUp() {
      return hasBeenUp;
    },
    get check() {
      return check;
    },
    get poolSize() {
      return location.kind === 'sqlite' ? 1 : settings.pool_size;
    },
    write: (type, work) => run((database) => measured(type, () => database.transaction(work))),
    read: (work) => run((database) => measured('select', () => work(database.reader))),
    probe: () => run((database) => database.ping()).catch(() => undefined),
    use(next) {
      if (JSON.stringify(next) === JSON.stringify(settings)) return;
      settings = next;
      if (location.kind === 'postgres') void end().catch(() => undefined);
    },
    async close() {
      closed = true;
      await end();
    },
  };
}

/** What a probe shows of an error: its first line. */
export function checkTextOf(error: unknown): CheckText {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [line = ''] = (message || 'no connection').split('\n');
  return `error: ${line.slice(0, 200)}`;
}

async function openDatabase(
  { location, migrations, clock, logger }: GatewayDatabaseOptions,
  settings: PoolSettings,
): Promise<Opened> {
  const sql = await import('@probity/core/sql');
  const opened: Opened & { readonly pool?: OwnPool } =
    location.kind === 'sqlite'
      ? openSqlite(sql, location.path)
      : await openPostgres(sql, location.url, settings, logger);
  try {
    await sql.migrate(opened.database, migrations, {
      now: () => clock.now(),
      onProgress: (progress) => logger.info('migration in progress', { ...progress }),
    });
    return opened;
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

type Sql = typeof import('@probity/core/sql');

function openSqlite({ createSqliteDatabase, prepareSqliteFile }: Sql, path: string): Opened {
  prepareSqliteFile(path);
  const database = createSqliteDatabase({ path });
  return { database, close: () => database.close() };
}

async function openPostgres(
  { createPostgresDatabase }: Sql,
  url: string,
  settings: PoolSettings,
  logger: Logger,
): Promise<Opened> {
  const { openPool, waitMsOf } = await import('./postgres-pool.ts');
  const pool = await openPool(url, settings, logger);
  const database = createPostgresDatabase({
    pool,
    // The pool itself ends the wait; this is for a server that hangs in between.
    connectTimeoutMs: waitMsOf(settings) + 1_000,
    lockTimeoutMs: settings.query_timeout_sec * 1_000,
    preparedStatements: true,
    logger,
  });
  return {
    database,
    async close() {
      await database.close();
      await pool.end();
    },
  };
}
