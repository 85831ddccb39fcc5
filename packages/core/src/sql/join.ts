import { runAfterCommit } from '../storage/after-commit.ts';
import { nameDatabaseError } from './database.ts';
import type { HostKysely, KyselyExecutor, KyselyTransaction } from './host.ts';
import { onceKysely } from './kysely-session.ts';
import type { PgClient } from './pg-transaction.ts';
import { createPgExecutor } from './pg-transaction.ts';
import type { SqlDialect, SqlResult, SqlSession } from './session.ts';
import type { SqliteConnection } from './sqlite-driver.ts';
import { createSqliteExecutor } from './sqlite-executor.ts';
import { markSqliteTransaction } from './sqlite-transaction.ts';

/**
 * A session over a transaction that the host has opened on the same database. Its writes commit and
 * roll back with the host's own writes. Pass it to a service or a storage as the scope `{ session
 * }`.
 */
export interface JoinedSession extends SqlSession {
  /**
   * Must be called after the commit, and never after a rollback: starts the work that waits for the
   * commit, such as deliveries. Without the call the workers find that work at their next poll. The
   * session refuses every statement from then on.
   */
  committed(): void;
}

type Execute = (sql: string, parameters: readonly unknown[]) => Promise<SqlResult<unknown>>;

/**
 * Joins a transaction of the host's Kysely, whatever its plugins and type parsers.
 *
 * @example
 * const session = await db.transaction().execute(async (trx) => {
 *   await trx.insertInto('orders').values(order).execute();
 *   const session = joinKysely(trx, 'postgres');
 *   await webhooks.publish(context, { type: 'order.created', data }, { session });
 *   return session;
 * });
 * session.committed();
 *
 * @throws TypeError for a Kysely outside a transaction
 */
export function joinKysely(transaction: KyselyTransaction, dialect: SqlDialect): JoinedSession {
  if (!transaction.isTransaction) throw new TypeError('joinKysely needs an open transaction.');
  return createKyselySession(transaction, dialect);
}

/**
 * Joins the transaction that the host has open: of Kysely, of a pg client, or of better-sqlite3.
 * See {@link joinKysely}, {@link joinPg} and {@link joinSqlite}.
 *
 * @example
 * await db.transaction().execute(async (trx) => {
 *   await trx.insertInto('orders').values(order).execute();
 *   await probity.services.webhooks.publish(context, event, { session: sessionOf(trx) });
 * });
 *
 * @throws TypeError for anything else, and outside a transaction; with a pg client, whose server
 *   knows of a transaction only, the first call with the session rejects with it
 */
export function sessionOf(transaction: HostTransaction): JoinedSession {
  if ('isTransaction' in transaction) return joinKysely(transaction, dialectOf(transaction));
  if ('inTransaction' in transaction) return joinSqlite(transaction);
  if ('getTypeParser' in transaction) return joinPg(transaction);
  throw new TypeError(
    'sessionOf needs a Kysely transaction, a pg client or a better-sqlite3 database.',
  );
}

/** An open transaction of a host. */
export type HostTransaction =
  | (KyselyTransaction & Pick<HostKysely, 'getExecutor'>)
  | PgClient
  | Pick<SqliteConnection, 'prepare' | 'inTransaction'>;

/**
 * The database of a Kysely, by what its adapter supports: a bundler may have renamed its class.
 * @throws TypeError for another than SQLite and PostgreSQL
 */
export function dialectOf(db: Pick<HostKysely, 'getExecutor'>): SqlDialect {
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter;
  if (supportsReturning) return supportsTransactionalDdl ? 'postgres' : 'sqlite';
  throw new TypeError(
    'Probity runs on SQLite and PostgreSQL; this Kysely is of another database: its adapter ' +
      'does not support RETURNING.',
  );
}

/** A session that executes on a Kysely of the host, in a transaction or not. */
export function createKyselySession(kysely: KyselyExecutor, dialect: SqlDialect): JoinedSession {
  const plain = kysely.withoutPlugins();
  const run: Execute = async (sql, parameters) => {
    const result = await plain.executeQuery({
      sql,
      parameters,
      query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] },
      queryId: { queryId: 'probity' },
    });
    return { rows: result.rows, changes: Number(result.numAffectedRows ?? result.rows.length) };
  };
  return createJoinedSession(dialect, dialect === 'postgres' ? asJson(run) : run);
}

/**
 * Joins the transaction that the host has begun on a pg client (not a pool, which would run each
 * statement on a separate connection). Outside a transaction and after its end every statement is
 * refused: the first with a TypeError.
 * @throws TypeError for a pool and for pg-native
 */
export function joinPg(client: PgClient): JoinedSession {
  if ('totalCount' in client) throw new TypeError('joinPg needs a client, not a pool.');
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : client.getTypeParser(oid, format),
  };
  return createJoinedSession('postgres', createPgExecutor(client, types));
}

/**
 * Joins the transaction that the host has begun on a better-sqlite3 connection. Until it ends no
 * other connection of the process can write, so nothing else should be awaited in between. The
 * session ends with the transaction, or with the host's savepoint in which it was made, and ends
 * savepoints that the host opens later: a savepoint of the host needs a session made in it.
 * @throws TypeError when no transaction is open
 */
export function joinSqlite(
  connection: Pick<SqliteConnection, 'prepare' | 'inTransaction'>,
): JoinedSession {
  if (!connection.inTransaction) throw new TypeError('joinSqlite needs an open transaction.');
  const execute = createSqliteExecutor(connection);
  const mark = markSqliteTransaction(connection);
  return createJoinedSession('sqlite', async (sql, parameters) => {
    if (!mark.isOpen()) throw new Error('The transaction has ended.');
    return execute(sql, parameters);
  });
}

/** bigint columns hold milliseconds and counts, which a JavaScript number holds exactly. */
const INT8 = 20;

const ANSWERS_ROWS = /^\s*(?:select|with)\b|\breturning\b/i;

/**
 * Makes PostgreSQL return rows as JSON, in which a bigint is a number: Kysely does not expose
 * column types, and pg returns a bigint as text unless the host has configured it otherwise.
 */
function asJson(run: Execute): Execute {
  return async (sql, parameters) => {
    if (!ANSWERS_ROWS.test(sql)) return run(sql, parameters);
    const wrapped = `with answer as (${sql}) select to_json(answer) as row from answer`;
    const { rows } = await run(wrapped, parameters);
    const parsed = (rows as Array<{ row: unknown }>).map(({ row }) =>
      typeof row === 'string' ? (JSON.parse(row) as unknown) : row,
    );
    return { rows: parsed, changes: parsed.length };
  };
}

function createJoinedSession(dialect: SqlDialect, run: Execute): JoinedSession {
  const callbacks: Array<() => void> = [];
  let hasEnded = false;
  const execute = async <Row>(sql: string, parameters: readonly unknown[]) => {
    if (hasEnded) throw new Error('The transaction has ended.');
    return run(sql, parameters).catch(nameDatabaseError) as Promise<SqlResult<Row>>;
  };
  return {
    dialect,
    execute,
    kysely: onceKysely(dialect, execute),
    afterCommit: (callback) => callbacks.push(callback),
    committed() {
      hasEnded = true;
      runAfterCommit(callbacks.splice(0));
    },
  };
}
