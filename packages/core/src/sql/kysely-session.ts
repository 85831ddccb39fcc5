import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { ExecuteSql, SqlDialect } from './session.ts';

/**
 * A Kysely that passes every compiled query to `execute`. The session manages connections and
 * transactions: Kysely's own SQLite driver prepares each statement anew (3.6 times the cost of a
 * prepared read) and begins transactions that can fail half-way.
 */
export function createSessionKysely<Tables>(
  dialect: SqlDialect,
  execute: ExecuteSql,
): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: createDialect(dialect, execute) });
}

/** A session's `kysely`: the builder is created at the first call, since hot paths need none. */
export function onceKysely(dialect: SqlDialect, execute: ExecuteSql) {
  let db: Kysely<unknown> | undefined;
  return <Tables>() => {
    db ??= createSessionKysely<unknown>(dialect, execute);
    return db as unknown as Kysely<Tables>;
  };
}

function createDialect(dialect: SqlDialect, execute: ExecuteSql): Dialect {
  const driver = createDriver(execute);
  return dialect === 'sqlite'
    ? {
        createDriver: () => driver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      };
}

function createDriver(execute: ExecuteSql): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await execute<Row>(sql, parameters);
      return { rows, numAffectedRows: BigInt(changes) };
    },
    streamQuery: () => {
      throw new Error('Sessions do not stream query results; read pages instead.');
    },
  };
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
    beginTransaction: (_connection: DatabaseConnection, _settings: TransactionSettings) =>
      refuseTransaction(),
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
  };
}

async function refuseTransaction(): Promise<never> {
  throw new Error('Open transactions with database.transaction, not with Kysely.');
}
