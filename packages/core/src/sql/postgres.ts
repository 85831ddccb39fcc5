import { setTimeout as delay } from 'node:timers/promises';
import type Pg from 'pg';
import { createJobSignal } from '../jobs/signal.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import { runAfterCommit } from '../storage/after-commit.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import type { PgPool } from './host.ts';
import { onceKysely } from './kysely-session.ts';
import { loadPostgresDriver } from './postgres-driver.ts';
import type { ExecuteOptions, ExecuteSql, SqlSession } from './session.ts';
import { requireRead } from './session.ts';
import { nameUnreachableServer } from './unreachable.ts';

/** Settings of the PostgreSQL adapter: either `url` or the host's own `pool`. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url?: string;
  /**
   * A pool of the host, which keeps its own settings of size, timeouts and types; closing the
   * database leaves it open.
   */
  readonly pool?: PgPool;
  /** Maximum number of connections; default 10. */
  readonly poolSize?: number;
  /** Statement timeout in milliseconds; default 10000. */
  readonly statementTimeoutMs?: number;
  /** Connection timeout in milliseconds; default 5000. */
  readonly connectTimeoutMs?: number;
  readonly logger?: Logger;
}

/** Serialization failure, deadlock: the transaction was rolled back and may run again. */
const REPEATABLE = new Set(['40001', '40P01']);
/** The server closed the connection; safe to retry as long as no COMMIT was sent. */
const DISCONNECTED = new Set(['57P01', '57P02', '57P03', '08006', '08003', 'ECONNRESET', 'EPIPE']);
const MAX_ATTEMPTS = 5;
const CLIENT_TIMEOUT_MARGIN_MS = 2_000;

/** bigint columns hold milliseconds and counts, which a JavaScript number holds exactly. */
function typesOf({ types }: typeof Pg): Pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === types.builtins.INT8
        ? Number
        : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
  };
}

/** The pool of a database, and whether it was created for it. */
interface OpenPool {
  readonly pool: Pg.Pool;
  readonly isOwn: boolean;
  readonly types: Pg.CustomTypesConfig;
  /** The server in messages; null for a pool of the host. */
  readonly url: string | null;
}

function openPool(options: PostgresOptions): OpenPool {
  const { logger = silentLogger, statementTimeoutMs = 10_000, url } = options;
  const pg = loadPostgresDriver();
  const types = typesOf(pg);
  if (options.pool)
    return { pool: options.pool as unknown as Pg.Pool, isOwn: false, types, url: null };
  if (url === undefined) throw new TypeError('createPostgresDatabase needs a url or a pool.');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    // A server that hangs cannot enforce its own statement timeout.
    query_timeout: statementTimeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
    application_name: 'probity',
  });
  // Without a listener, an idle connection closed by the server would end this process.
  pool.on('error', (error) => logger.warn('a database connection was lost', { error }));
  return { pool, isOwn: true, types, url };
}

/**
 * A PostgreSQL database through a pool. Transactions are READ COMMITTED and retried when the server
 * reports a conflict or closes the connection before the commit; `lockTenant` protects invariants.
 *
 * @throws Error with the command that installs pg when it is missing
 */
export function createPostgresDatabase(options: PostgresOptions): SqlDatabase {
  const { pool, isOwn, types, url } = openPool(options);
  const explain = (error: unknown) => {
    throw url === null ? error : nameUnreachableServer(error, url);
  };
  const read = createExecutor(pool, types);
  const readOnly: ExecuteSql = (...query) => read<never>(...query).catch(explain);
  let closing: Promise<void> | null = null;
  return assembleDatabase({
    dialect: 'postgres',
    jobSignal: createJobSignal(),
    reader: createSession(refuseWrites(readOnly), (callback) => callback()),
    transaction: (work) => repeatOnConflict(() => runTransaction(pool, types, work)).catch(explain),
    close() {
      closing ??= isOwn ? pool.end() : Promise.resolve();
      return closing;
    },
  });
}

/** An error of a transaction that certainly did not commit. */
export class UncommittedError extends Error {}

/** Runs an attempt again after errors that prove that nothing was committed. */
export async function repeatOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UncommittedError)) throw error;
      if (tries === MAX_ATTEMPTS) throw error.cause;
      await delay(Math.random() * 10 * 2 ** tries);
    }
  }
}

async function runTransaction<T>(
  pool: Pg.Pool,
  types: Pg.CustomTypesConfig,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // The pool listens to idle connections only; one lost between statements is reported here.
  let lost: Error | undefined;
  const onLost = (error: Error) => {
    lost = error;
  };
  client.on('error', onLost);
  const callbacks: Array<() => void> = [];
  let open = true;
  let broken: Error | undefined;
  let result: T;
  try {
    await client.query('BEGIN');
    const execute = createExecutor(client, types, () => open);
    result = await work(createSession(execute, (callback) => callbacks.push(callback)));
    open = false;
    broken = await commit(client);
  } catch (error) {
    open = false;
    const isHanging = toError(error).message === 'Query read timeout';
    broken = isHanging ? toError(error) : await rollBack(client);
    const repeatable = isRepeatable(error) || (lost !== undefined && isRepeatable(lost));
    throw repeatable ? new UncommittedError('', { cause: error }) : error;
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
  if (broken) throw broken;
  runAfterCommit(callbacks);
  return result;
}

function rollBack(client: Pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(() => undefined, toError);
}

/** Commits; after an error the outcome is unknown or a rollback, so it is never retried. */
async function commit(client: Pg.PoolClient): Promise<Error | undefined> {
  try {
    const { command } = await client.query('COMMIT');
    // PostgreSQL answers COMMIT with ROLLBACK after a failed statement.
    return command === 'COMMIT' ? undefined : new Error('The transaction was rolled back.');
  } catch (error) {
    return toError(error);
  }
}

/** Whether PostgreSQL has rolled back for a reason that a new attempt does not meet. */
export function isRepeatable(error: unknown): boolean {
  const { code, message } = toError(error) as Error & { code?: unknown };
  if (typeof code !== 'string') return message.startsWith('Connection terminated');
  return REPEATABLE.has(code) || DISCONNECTED.has(code);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function createExecutor(
  client: Pg.Pool | Pg.PoolClient,
  types: Pg.CustomTypesConfig,
  isOpen = () => true,
): ExecuteSql {
  return async <Row>(
    text: string,
    parameters: readonly unknown[],
    { name }: ExecuteOptions = {},
  ) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    const values = parameters as unknown[];
    const query = name ? { name, text, values, types } : { text, values, types };
    const { rows, rowCount } = await client.query(query);
    return { rows: rows as Row[], changes: rowCount ?? 0 };
  };
}

function refuseWrites(execute: ExecuteSql): ExecuteSql {
  return async (text, parameters, options) => {
    requireRead(text);
    return execute(text, parameters, options);
  };
}

function createSession(
  execute: ExecuteSql,
  afterCommit: (callback: () => void) => void,
): SqlSession {
  return {
    dialect: 'postgres',
    execute,
    kysely: onceKysely('postgres', execute),
    afterCommit,
  };
}
