import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemorySession } from '../memory/database.ts';
import { createMemoryDatabase } from '../memory/database.ts';
import { createMemoryPlatformStorage } from '../platform/memory.ts';
import type { PlatformStorage } from '../platform/storage.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { coreMigrations } from '../sql/migrations.ts';
import type { Migration } from '../sql/migrator.ts';
import { migrate } from '../sql/migrator.ts';
import { createSqlPlatformStorage } from '../sql/platform.ts';
import { createPostgresDatabase } from '../sql/postgres.ts';
import { createSqliteDatabase } from '../sql/sqlite.ts';
import type { Database } from '../storage.ts';

/** An empty, migrated database of a test's own. */
export type TestDatabase = (
  | { readonly kind: 'memory'; readonly database: Database<MemorySession> }
  | { readonly kind: 'sql'; readonly database: SqlDatabase; readonly url: string }
) & {
  /** The platform's storage on it. */
  readonly platform: PlatformStorage;
  /** A second connection to the same data, as another process would have it; null in memory. */
  openAnother(): SqlDatabase | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
};

/** One of the databases that every storage adapter must work on. */
export interface DatabaseTarget {
  readonly name: 'memory' | 'sqlite' | 'postgres';
  open(): Promise<TestDatabase>;
}

/** What the targets need from the test's surroundings. */
export interface TargetOptions {
  /** The package's migrations; the core's are applied before them. */
  readonly migrations?: readonly Migration[];
  /** Makes an empty PostgreSQL database. */
  createPostgres(): Promise<{ url: string; drop(): Promise<void> }>;
}

/** Memory, SQLite in a file and PostgreSQL, for contract suites to run on. */
export function databaseTargets({
  migrations = [],
  createPostgres,
}: TargetOptions): DatabaseTarget[] {
  const all = [...coreMigrations, ...migrations];
  return [
    { name: 'memory', open: async () => openMemory() },
    { name: 'sqlite', open: () => openSqlite(all) },
    { name: 'postgres', open: () => openPostgres(all, createPostgres) },
  ];
}

function openMemory(): TestDatabase {
  const database = createMemoryDatabase();
  return {
    kind: 'memory',
    database,
    platform: createMemoryPlatformStorage(database),
    openAnother: () => null,
    dispose: () => database.close(),
  };
}

/** A short one: connections of one process that wait for each other block its event loop. */
const SQLITE_BUSY_TIMEOUT_MS = 20;

async function openSqlite(migrations: readonly Migration[]): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'probity-test-'));
  const path = join(folder, 'test.db');
  const connect = () => createSqliteDatabase({ path, busyTimeoutMs: SQLITE_BUSY_TIMEOUT_MS });
  return openSql(`sqlite:${path}`, migrations, connect, () =>
    rm(folder, { recursive: true, force: true }),
  );
}

async function openPostgres(
  migrations: readonly Migration[],
  createPostgres: TargetOptions['createPostgres'],
): Promise<TestDatabase> {
  const { url, drop } = await createPostgres();
  return openSql(url, migrations, () => createPostgresDatabase({ url }), drop);
}

async function openSql(
  url: string,
  migrations: readonly Migration[],
  connect: () => SqlDatabase,
  remove: () => Promise<void>,
): Promise<TestDatabase> {
  const database = connect();
  const opened = [database];
  await migrate(database, migrations);
  return {
    kind: 'sql',
    database,
    platform: createSqlPlatformStorage(database),
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
