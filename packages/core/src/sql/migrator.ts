import { createHash } from 'node:crypto';
import type { SqlDatabase } from './database.ts';
import { UNLIMIT_LOCK_WAITS } from './lock-wait.ts';
import type { Migration } from './migration.ts';
import { missingTableOf } from './missing-table.ts';
import type { SqlSession } from './session.ts';

/** Settings of a run. */
export interface MigrateOptions {
  readonly now?: (() => Date) | undefined;
  /** Called after each migration that this process applied. */
  readonly onApplied?: ((name: string) => void) | undefined;
}

const CREATE_LEDGER = `create table if not exists probity_migrations (
  name text primary key,
  checksum text not null,
  applied_at bigint not null
)`;

/** PostgreSQL's errors when two processes create the ledger concurrently. */
const LEDGER_RACE = new Set(['23505', '42P07', '42710', 'XX000']);

/**
 * Applies the pending migrations, each in a separate transaction that records it first: of several
 * processes that start together one applies it, and the others wait for it and count it as done.
 * Returns the names applied by this process.
 *
 * @throws Error when an applied migration has been edited since, or when one fails; the failing one
 *   leaves nothing behind
 */
export async function migrate(
  database: SqlDatabase,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  await createLedger(database);
  const applied: string[] = [];
  for (const migration of migrations) {
    const isNew = await database.transaction((session) => apply(session, migration, options));
    if (!isNew) continue;
    applied.push(migration.name);
    options.onApplied?.(migration.name);
  }
  return applied;
}

/** The migrations not yet applied to the database; only reads. */
export async function pendingMigrations(
  database: SqlDatabase,
  migrations: readonly Migration[],
): Promise<string[]> {
  const { rows } = await database.reader
    .execute<{ name: string }>('select name from probity_migrations', [])
    .catch((error: unknown) => {
      if (isMissingLedger(error)) return { rows: [] };
      throw error;
    });
  const done = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

function isMissingLedger(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return [error, cause].some((each) => missingTableOf(each) === 'probity_migrations');
}

async function createLedger(database: SqlDatabase): Promise<void> {
  const create = () => database.transaction((session) => session.execute(CREATE_LEDGER, []));
  try {
    await create();
  } catch (error) {
    if (!LEDGER_RACE.has(String((error as { code?: unknown }).code))) throw error;
    await create();
  }
}

async function apply(
  session: SqlSession,
  migration: Migration,
  { now = () => new Date() }: MigrateOptions,
): Promise<boolean> {
  const checksum = checksumOf(migration);
  // Another process may be applying it for long.
  if (session.dialect === 'postgres') await session.execute(UNLIMIT_LOCK_WAITS, []);
  const [p1, p2, p3] = session.dialect === 'postgres' ? ['$1', '$2', '$3'] : ['?', '?', '?'];
  const { changes } = await session.execute(
    `insert into probity_migrations (name, checksum, applied_at) values (${p1}, ${p2}, ${p3})
     on conflict (name) do nothing`,
    [migration.name, checksum, now().getTime()],
  );
  if (changes === 0) {
    await verify(session, migration.name, checksum, p1 as string);
    return false;
  }
  for (const statement of migration.statements) {
    try {
      const sql = typeof statement === 'string' ? statement : statement[session.dialect];
      await session.execute(sql, []);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`The migration ${migration.name} failed: ${reason}`, { cause });
    }
  }
  return true;
}

async function verify(
  session: SqlSession,
  name: string,
  checksum: string,
  placeholder: string,
): Promise<void> {
  const { rows } = await session.execute<{ checksum: string }>(
    `select checksum from probity_migrations where name = ${placeholder}`,
    [name],
  );
  if (rows[0]?.checksum === checksum) return;
  throw new Error(
    `The migration ${name} differs from the version that was applied to this database. ` +
      'Run the version of Probity that migrated the database, or restore a backup.',
  );
}

function checksumOf(migration: Migration): string {
  const normalize = (statement: string) => statement.replace(/\s+/g, ' ').trim();
  const normalized = migration.statements.map((statement) =>
    typeof statement === 'string'
      ? normalize(statement)
      : { sqlite: normalize(statement.sqlite), postgres: normalize(statement.postgres) },
  );
  return createHash('sha256').update(JSON.stringify(normalized)).digest('hex');
}
