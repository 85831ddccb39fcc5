import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import type { JoinedSession } from '../../sql/join.ts';
import { sessionOf } from '../../sql/join.ts';
import { loadPostgresDriver } from '../../sql/postgres-driver.ts';
import { openSqliteFile } from '../../sql/sqlite-driver.ts';

/** A transaction that a host has opened on its own connection, and the session that joins it. */
export interface HostTransaction {
  readonly session: JoinedSession;
  /** Runs a statement of the host. */
  execute(statement: string): Promise<void>;
  /** Commits and notifies the session. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A host's way to access the database of a test. */
export interface HostConnection {
  /** `kysely`, `pg` or `better-sqlite3`. */
  readonly name: string;
  begin(): Promise<HostTransaction>;
}

/** A host's ways to access the SQL database at `url`, with the drivers' own settings. */
export function hostConnections(url: string): HostConnection[] {
  const path = /^sqlite:(.*)$/.exec(url)?.[1];
  return path === undefined
    ? [
        { name: 'kysely', begin: () => beginKyselyOnPostgres(url) },
        { name: 'pg', begin: () => beginPg(url) },
      ]
    : [
        { name: 'kysely', begin: () => beginKyselyOnSqlite(path) },
        { name: 'better-sqlite3', begin: () => beginSqlite(path) },
      ];
}

function beginKyselyOnPostgres(connectionString: string): Promise<HostTransaction> {
  const pg = loadPostgresDriver();
  const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString, max: 1 }) });
  return beginKysely(new Kysely({ dialect, plugins: [new CamelCasePlugin()] }));
}

function beginKyselyOnSqlite(path: string): Promise<HostTransaction> {
  const database = openSqliteFile(path, 1_000) as never;
  const dialect = new SqliteDialect({ database });
  return beginKysely(new Kysely({ dialect, plugins: [new CamelCasePlugin()] }));
}

async function beginKysely(db: Kysely<object>): Promise<HostTransaction> {
  const transaction = await db.startTransaction().execute();
  const session = sessionOf(transaction);
  return {
    session,
    async execute(statement) {
      await sql.raw(statement).execute(transaction);
    },
    async commit() {
      await transaction.commit().execute();
      session.committed();
      await db.destroy();
    },
    async rollback() {
      await transaction.rollback().execute();
      await db.destroy();
    },
  };
}

async function beginPg(connectionString: string): Promise<HostTransaction> {
  const pg = loadPostgresDriver();
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('BEGIN');
  const session = sessionOf(client);
  return {
    session,
    async execute(statement) {
      await client.query(statement);
    },
    async commit() {
      await client.query('COMMIT');
      session.committed();
      await client.end();
    },
    async rollback() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}

async function beginSqlite(path: string): Promise<HostTransaction> {
  const connection = openSqliteFile(path, 1_000);
  connection.exec('BEGIN IMMEDIATE');
  const session = sessionOf(connection);
  return {
    session,
    async execute(statement) {
      connection.exec(statement);
    },
    async commit() {
      connection.exec('COMMIT');
      session.committed();
      connection.close();
    },
    async rollback() {
      connection.exec('ROLLBACK');
      connection.close();
    },
  };
}
