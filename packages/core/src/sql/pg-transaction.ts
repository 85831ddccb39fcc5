import type { SqlResult } from './session.ts';

/** The part of a pg client that is used, besides the parts that its types do not have. */
export interface PgClient {
  query(query: never): unknown;
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown;
}

type Callback = (error: Error | null, result: { rows: unknown[]; rowCount: number | null }) => void;

/** A query object of pg, which the client sends by `submit` when all earlier ones have ended. */
interface PgQuery {
  submit(connection: unknown): Error | null | undefined;
}

type PgQueryConstructor = new (config: {
  text: string;
  values: readonly unknown[];
  types: unknown;
  callback: Callback;
}) => PgQuery;

/** The parts of pg's client in JavaScript that pg-native does not have. */
interface PgInternals {
  readonly constructor: { readonly Query?: PgQueryConstructor };
  readonly connection?: {
    prependListener(event: 'readyForQuery', listener: (message: { status: string }) => void): void;
  };
  /** Not before pg 8.18; null before the first statement. */
  getTransactionStatus?(): string | null;
  query(query: string | PgQuery): unknown;
}

/** What the server has reported about the transactions of a client. */
interface TransactionWatch {
  /** `I` outside a transaction; undefined before the first report. */
  status: string | undefined;
  /** Number of reports that no transaction is open. */
  endings: number;
}

const IDLE = 'I';
const NO_TRANSACTION =
  'sessionOf needs a pg client with an open transaction: BEGIN before, and await every call with ' +
  'the session before COMMIT.';

/** One per client, since a host may join many transactions on each client of its pool. */
const watches = new WeakMap<object, TransactionWatch>();

/**
 * Executes statements in the transaction that is open on a client, and in no later one. The server
 * reports with the end of every statement whether a transaction is open; each statement is checked
 * when the client sends it, because a COMMIT may have been queued before it. This takes no round
 * trip, but one per client before pg 8.18, which does not tell the status of earlier statements.
 *
 * @throws TypeError for pg-native, which reports no status
 */
export function createPgExecutor(client: PgClient, types: unknown) {
  const internals = client as unknown as PgInternals;
  const { Query } = internals.constructor;
  const watch = watchOf(internals);
  if (!Query || !watch) {
    throw new TypeError('joinPg needs a Client of pg; pg-native is not supported.');
  }
  const { endings } = watch;
  let hasBegun = false;

  function refusal(): Error | null {
    if (watch?.status === IDLE || watch?.endings !== endings) {
      return hasBegun ? new Error('The transaction has ended.') : new TypeError(NO_TRANSACTION);
    }
    hasBegun = true;
    return null;
  }

  class TransactionQuery extends Query {
    override submit(connection: unknown) {
      return refusal() ?? super.submit(connection);
    }
  }

  return async (text: string, values: readonly unknown[]): Promise<SqlResult<unknown>> => {
    if (watch.status === undefined) await internals.query('');
    return new Promise((resolve, reject) => {
      const callback: Callback = (error, result) =>
        error ? reject(error) : resolve({ rows: result.rows, changes: result.rowCount ?? 0 });
      internals.query(new TransactionQuery({ text, values, types, callback }));
    });
  };
}

function watchOf(client: PgInternals): TransactionWatch | undefined {
  const { connection } = client;
  if (!connection) return undefined;
  const known = watches.get(connection);
  if (known) return known;
  const watch: TransactionWatch = {
    status: client.getTransactionStatus?.() ?? undefined,
    endings: 0,
  };
  // Before the client's own listener, which sends the next statement.
  connection.prependListener('readyForQuery', ({ status }) => {
    watch.status = status;
    if (status === IDLE) watch.endings += 1;
  });
  watches.set(connection, watch);
  return watch;
}
