import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqlDatabase } from '../sql/database.ts';
import type { Migration } from '../sql/migration.ts';
import { coreMigrations } from '../sql/migrations.ts';
import { migrate, pendingMigrations } from '../sql/migrator.ts';
import { createPostgresDatabase } from '../sql/postgres.ts';
import { createSqliteDatabase } from '../sql/sqlite.ts';
import type { Database } from '../storage/database.ts';
import type { MemorySession } from '../storage/memory.ts';
import { createMemoryDatabase } from '../storage/memory.ts';

/** An empty, migrated database used by one test only. */
export type TestDatabase = (
  | { readonly kind: 'memory'; readonly database: Database<MemorySession> }
  | { readonly kind: 'sql'; readonly database: SqlDatabase; readonly url: string }
) & {
  /** A second connection to the same data, as in another process; null in memory. */
  openAnother(): SqlDatabase | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
};

/** A database that every storage adapter must support. */
export interface DatabaseTarget {
  readonly name: 'memory' | 'sqlite' | 'postgres';
  open(): Promise<TestDatabase>;
}

/** Dependencies of the targets. */
export interface TargetOptions {
  /** The package's migrations; the core's are applied before them. */
  readonly migrations?: readonly Migration[];
  /** Folder of the SQLite files; the system's temporary folder by default. */
  readonly sqliteFolder?: string;
  /**
   * Creates a PostgreSQL database: an empty one, or a copy of one that `prepare` migrated, which is
   * much faster. It is the same function for every call by one list of targets.
   */
  createPostgres(
    prepare: (url: string) => Promise<void>,
  ): Promise<{ url: string; drop(): Promise<void> }>;
}

/** Memory, SQLite in a file and PostgreSQL, as targets of contract suites. */
export function databaseTargets({
  migrations = [],
  sqliteFolder = tmpdir(),
  createPostgres,
}: TargetOptions): DatabaseTarget[] {
  const all = [...coreMigrations, ...migrations];
  const prepare = async (url: string) => {
    const database = createPostgresDatabase({ url, poolSize: 1, ...POSTGRES_TIMEOUTS });
    await migrate(database, all).finally(() => database.close());
  };
  let sqliteFile: Promise<Uint8Array> | undefined;
  return [
    { name: 'memory', open: async () => openMemory() },
    {
      name: 'sqlite',
      async open() {
        sqliteFile ??= migratedSqliteFile(sqliteFolder, all);
        return openSqlite(sqliteFolder, all, await sqliteFile);
      },
    },
    { name: 'postgres', open: () => openPostgres(all, () => createPostgres(prepare)) },
  ];
}

function openMemory(): TestDatabase {
  const database = createMemoryDatabase();
  return {
    kind: 'memory',
    database,
    openAnother: () => null,
    dispose: () => database.close(),
  };
}

/** A database file with the migrations applied: copying it saves each test their time. */
async function migratedSqliteFile(
  parent: string,
  migrations: readonly Migration[],
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(parent, 'probity-test-'));
  const path = join(folder, 'test.db');
  const database = createSqliteDatabase({ path });
  await migrate(database, migrations).finally(() => database.close());
  const file = await readFile(path);
  await rm(folder, { recursive: true, force: true });
  return file;
}

async function openSqlite(
  parent: string,
  migrations: readonly Migration[],
  file: Uint8Array,
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(parent, 'probity-test-'));
  const path = join(folder, 'test.db');
  await writeFile(path, file);
  const connect = () => createSqliteDatabase({ path });
  return openSql(`sqlite:${path}`, migrations, connect, () =>
    rm(folder, { recursive: true, force: true }),
  );
}

/**
 * Long timeouts: on a busy machine many concurrent transactions may have to wait for each other.
 */
const POSTGRES_TIMEOUTS = { connectTimeoutMs: 120_000, statementTimeoutMs: 120_000 };

async function openPostgres(
  migrations: readonly Migration[],
  createPostgres: () => Promise<{ url: string; drop(): Promise<void> }>,
): Promise<TestDatabase> {
  const { url, drop } = await createPostgres();
  const connect = () => createPostgresDatabase({ url, ...POSTGRES_TIMEOUTS });
  return openSql(url, migrations, connect, drop);
}

async function openSql(
  url: string,
  migrations: readonly Migration[],
  connect: () => SqlDatabase,
  remove: () => Promise<void>,
): Promise<TestDatabase> {
  const database = connect();
  const opened = [database];
  const pending = await pendingMigrations(database, migrations);
  if (pending.length > 0) await migrate(database, migrations);
  return {
    kind: 'sql',
    database,
    url,
    openAnother() {
      const another = connect();
      opened.push(another);
      return another;
    },
    async dispose() {
      await Promise.all(opened.map((each) => each.close()));
      await remove();
    },
  };
}
