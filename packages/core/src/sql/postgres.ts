import { setTimeout as delay } from 'node:timers/promises';
import type Pg from 'pg';
import { createJobSignal } from '../jobs/signal.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import { isPoolerUrl } from '../settings.ts';
import { runAfterCommit } from '../storage/after-commit.ts';
import type { TransactionOptions } from '../storage/database.ts';
import { CONNECTION_WAIT_MS, createConnectionWait, noConnection } from './connection-wait.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import type { PgPool } from './host.ts';
import { onceKysely } from './kysely-session.ts';
import { LOCK_WAIT_MS, limitLockWaits, REMOVE_TIME_LIMITS } from './lock-wait.ts';
import { READ_IN_ORDER, SESSION_SETTINGS, TRANSACTION_SETTINGS } from './plan-settings.ts';
import { loadPostgresDriver } from './postgres-driver.ts';
import type { ExecuteOptions, ExecuteSql, SqlResult, SqlSession } from './session.ts';
import { requireRead } from './session.ts';
import { nameUnreachableServer } from './unreachable.ts';

/** Settings of the PostgreSQL adapter: either `url` or the host's own `pool`. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`. Add `pgbouncer=true` to the query behind a pooler in
   * transaction mode: nothing is then set for, or prepared in, a whole connection.
   */
  readonly url?: string | undefined;
  /**
   * A pool of the host, which keeps its own settings of size, timeouts and types; closing the
   * database leaves it open.
   */
  readonly pool?: PgPool | undefined;
  /** Maximum number of connections; default 10. */
  readonly poolSize?: number | undefined;
  /** Statement timeout in milliseconds; default 10000. */
  readonly statementTimeoutMs?: number | undefined;
  /**
   * How long a transaction or read waits for a connection, in milliseconds; default 5000. Also the
   * limit of connecting, except with `pool`.
   */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * How long a statement of a transaction on `pool` waits for a lock, in milliseconds; default 10000. It
   * applies where the pool's connections have neither a `lock_timeout` nor a `statement_timeout`.
   */
  readonly lockTimeoutMs?: number | undefined;
  /**
   * Whether frequent statements stay prepared under names in the server; default true, with `pool`
   * and with `pgbouncer=true` false. False behind a pooler that changes the connection between
   * transactions (PgBouncer before 1.21) or runs DISCARD ALL. When the server does not know a name, or
   * knows it from another client, it is false from then on.
   */
  readonly preparedStatements?: boolean | undefined;
  readonly logger?: Logger | undefined;
}

/** Serialization failure, deadlock: the transaction was rolled back and may run again. */
const REPEATABLE = new Set(['40001', '40P01']);
/** The server closed the connection; safe to retry as long as no COMMIT was sent. */
const DISCONNECTED = new Set(['57P01', '57P02', '57P03', '08006', '08003', 'ECONNRESET', 'EPIPE']);
const MAX_ATTEMPTS = 5;
const CLIENT_TIMEOUT_MARGIN_MS = 2_000;
/** The longest that a timer can wait: 0 would leave the pool's `query_timeout`. */
const NO_CLIENT_TIMEOUT = { query_timeout: 2 ** 31 - 1 };

/** bigint columns hold milliseconds and counts, which a JavaScript number holds exactly. */
function typesOf({ types }: typeof Pg): Pg.CustomTypesConfig {
  return {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === types.builtins.INT8
        ? Number
        : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
  };
}

/** The pool of a database, and how it is used. */
interface OpenPool {
  readonly pool: Pg.Pool;
  readonly waitMs: number;
  /** Begins a transaction. */
  readonly begin: string;
  /** Whether statements are sent with their names; set to false when the server has lost one. */
  sendsNames: boolean;
  readonly isOwn: boolean;
  readonly types: Pg.CustomTypesConfig;
  /** The server in messages; null for a pool of the host. */
  readonly url: string | null;
  readonly logger: Logger;
}

function openPool(options: PostgresOptions): OpenPool {
  const { logger = silentLogger, statementTimeoutMs = 10_000, url, preparedStatements } = options;
  const pg = loadPostgresDriver();
  const types = typesOf(pg);
  const waitMs = options.connectTimeoutMs ?? CONNECTION_WAIT_MS;
  if (options.pool) {
    const pool = options.pool as unknown as Pg.Pool;
    return {
      pool,
      waitMs,
      // One message, so that the limit takes no round trip.
      begin: `BEGIN; ${limitLockWaits(options.lockTimeoutMs ?? LOCK_WAIT_MS)}`,
      sendsNames: preparedStatements ?? false,
      isOwn: false,
      types,
      url: null,
      logger,
    };
  }
  if (url === undefined) throw new TypeError('createPostgresDatabase needs a url or a pool.');
  const isPooled = isPoolerUrl(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: waitMs,
    // A server that hangs cannot enforce its own statement timeout.
    query_timeout: statementTimeoutMs + CLIENT_TIMEOUT_MARGIN_MS,
    application_name: 'probity',
    ...(!isPooled && {
      statement_timeout: statementTimeoutMs,
      onConnect: (client) => client.query(SESSION_SETTINGS).then(() => undefined),
    }),
  });
  // Without a listener, an idle connection closed by the server would end this process.
  pool.on('error', (error) => logger.warn('a database connection was lost', { error }));
  return {
    pool,
    waitMs,
    begin: isPooled
      ? `BEGIN; ${TRANSACTION_SETTINGS}; set local statement_timeout = ${statementTimeoutMs}`
      : 'BEGIN',
    sendsNames: preparedStatements ?? !isPooled,
    isOwn: true,
    types,
    url,
    logger,
  };
}

/**
 * A PostgreSQL database through a pool. Transactions are READ COMMITTED and retried when the server
 * reports a conflict or closes the connection before the commit; `lockTenant` protects invariants.
 *
 * @throws Error with the command that installs pg when it is missing
 */
export function createPostgresDatabase(options: PostgresOptions): SqlDatabase {
  const opened = openPool(options);
  const { pool, isOwn, url } = opened;
  const explain = (error: unknown) => {
    throw url === null ? error : nameUnreachableServer(error, url);
  };
  const readOnly: ExecuteSql = (...query) => read<never>(opened, query).catch(explain);
  let closing: Promise<void> | null = null;
  return assembleDatabase({
    dialect: 'postgres',
    jobSignal: createJobSignal(),
    reader: createSession(refuseWrites(readOnly), (callback) => callback()),
    transaction: (work, options) =>
      repeatOnConflict(() => runTransaction(opened, work, options)).catch(explain),
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

const DEFER = 'SET LOCAL synchronous_commit = off';

/** The settings of a transaction, in the message that begins it, so that they take no round trip. */
function beginOf(
  { begin }: OpenPool,
  { durability, readsInOrder, hasNoTimeLimit }: TransactionOptions,
): string {
  const statements = [begin];
  if (hasNoTimeLimit) statements.push(REMOVE_TIME_LIMITS);
  if (durability === 'deferred') statements.push(DEFER);
  if (readsInOrder) statements.push(READ_IN_ORDER);
  return statements.join('; ');
}

/** Obtains a connection. @throws Error `ETIMEDOUT` when none becomes free */
function acquire({ pool, waitMs }: OpenPool): Promise<Pg.PoolClient> {
  const wait = createConnectionWait(waitMs);
  const connecting = pool.connect().then(
    (client) => {
      try {
        wait.obtained();
      } catch (error) {
        client.release();
        throw error;
      }
      return client;
    },
    (error: unknown) => {
      throw toError(error).message === POOL_TIMEOUT ? noConnection(waitMs, error) : error;
    },
  );
  return wait.limit(connecting);
}

/** Message of pg-pool when no connection became free within its own limit. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';

/** Runs one statement on a connection, and again without its name when the server has lost it. */
async function read<Row>(
  opened: OpenPool,
  statement: Parameters<ExecuteSql>,
): Promise<SqlResult<Row>> {
  const client = await acquire(opened);
  // A connection that is lost during the statement emits its error, and rejects the statement.
  const onLost = () => undefined;
  client.on('error', onLost);
  const execute = createExecutor(client, opened);
  let broken: Error | undefined;
  try {
    return await execute<Row>(...statement).catch((error: unknown) => {
      if (!isLostStatement(error)) throw error;
      return execute<Row>(...statement);
    });
  } catch (error) {
    broken = toError(error);
    throw error;
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
}

async function runTransaction<T>(
  opened: OpenPool,
  work: (session: SqlSession) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const client = await acquire(opened);
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
    await client.query(beginOf(opened, options));
    const timeout = options.hasNoTimeLimit ? NO_CLIENT_TIMEOUT : {};
    const execute = createExecutor(client, opened, () => open, timeout);
    result = await work(createSession(execute, (callback) => callbacks.push(callback)));
    open = false;
    broken = await commit(client, timeout);
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
async function commit(client: Pg.PoolClient, timeout: object): Promise<Error | undefined> {
  try {
    const { command } = await client.query({ text: 'COMMIT', ...timeout });
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
  return REPEATABLE.has(code) || DISCONNECTED.has(code) || isLostStatement(error);
}

/**
 * Whether the server has lost a prepared statement, has it from another client of a pooler, or a
 * migration changed the result of one.
 */
function isLostStatement(error: unknown): boolean {
  const { code, message } = toError(error) as Error & { code?: unknown };
  return isForeignStatement(error) || (code === '0A000' && message.startsWith('cached plan'));
}

/** Whether the connection has other prepared statements than this client: a pooler changed it. */
function isForeignStatement(error: unknown): boolean {
  const { code } = toError(error) as Error & { code?: unknown };
  return code === '26000' || code === '42P05';
}

function stopNames(opened: OpenPool, error: unknown): void {
  if (!opened.sendsNames) return;
  opened.sendsNames = false;
  if (opened.isOwn && isForeignStatement(error)) opened.logger.warn(POOLER_FOUND);
}

const POOLER_FOUND =
  'a pooler in transaction mode answers at the database URL; prepared statements are off now: add ' +
  'pgbouncer=true to the query of the URL';

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function createExecutor(
  client: Pg.PoolClient,
  opened: OpenPool,
  isOpen: () => boolean = () => true,
  timeout: object = {},
): ExecuteSql {
  const { types } = opened;
  return async <Row>(
    text: string,
    parameters: readonly unknown[],
    { name }: ExecuteOptions = {},
  ) => {
    if (!isOpen()) throw new Error('The transaction has ended.');
    const values = parameters as unknown[];
    const query =
      name && opened.sendsNames
        ? { name, text, values, types, ...timeout }
        : { text, values, types, ...timeout };
    try {
      const { rows, rowCount } = await client.query(query);
      return { rows: rows as Row[], changes: rowCount ?? 0 };
    } catch (error) {
      if (isLostStatement(error)) stopNames(opened, error);
      throw error;
    }
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
