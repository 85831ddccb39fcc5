// What is used of a host's own database objects: the parts that every supported version has.

/** The part of a pg pool that is used. */
export interface PgPool {
  readonly totalCount: number;
  connect(): Promise<unknown>;
  query(...query: never[]): unknown;
}

/** A compiled Kysely query that was not built by a builder. */
interface RawQuery {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly query: {
    readonly kind: 'RawNode';
    readonly sqlFragments: readonly string[];
    readonly parameters: readonly never[];
  };
  readonly queryId: { readonly queryId: string };
}

/** The part of a Kysely that executes. */
export interface KyselyExecutor {
  withoutPlugins(): {
    executeQuery(query: RawQuery): Promise<{
      readonly rows: unknown[];
      readonly numAffectedRows?: bigint | undefined;
    }>;
  };
}

/** The part of a Kysely transaction that is used. */
export interface KyselyTransaction extends KyselyExecutor {
  readonly isTransaction: boolean;
}

/** The part of a Kysely's adapter that is used. */
interface KyselyAdapter {
  readonly supportsReturning?: boolean;
  readonly supportsTransactionalDdl?: boolean;
}

/** The part of a host's Kysely that is used. */
export interface HostKysely extends KyselyExecutor {
  connection(): {
    execute<T>(work: (connection: KyselyExecutor) => Promise<T>): Promise<T>;
  };
  transaction(): {
    execute<T>(work: (transaction: KyselyTransaction) => Promise<T>): Promise<T>;
  };
  getExecutor(): { readonly adapter: KyselyAdapter };
}

/** An open better-sqlite3 database of the host; Probity opens further connections to its file. */
export interface HostSqlite {
  readonly name: string;
  readonly memory: boolean;
  prepare(sql: string): unknown;
  pragma(text: string): unknown;
}
