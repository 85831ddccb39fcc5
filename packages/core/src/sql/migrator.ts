import { createHash } from 'node:crypto';
import type { SqlDatabase } from './database.ts';
import type { Migration, MigrationStatement } from './migration.ts';
import { limitLockWait, lockTables, repeatWhileContended } from './migration-locks.ts';
import type { SliceProgress } from './migration-slices.ts';
import { CREATE_POSITIONS, runSlices } from './migration-slices.ts';
import { missingTableOf } from './missing-table.ts';
import type { SqlSession } from './session.ts';

/** How far a run is. */
export interface MigrationProgress {
  /** The migration that is being applied. */
  readonly migration: string;
  /** Its number among the pending ones, from 1, and how many there are. */
  readonly number: number;
  readonly count: number;
  /** Time since the migration began, in milliseconds. */
  readonly elapsedMs: number;
  /** Rows of a migration in slices. */
  readonly rows?: SliceProgress;
  /** The error of the last attempt, when another transaction was in the way. */
  readonly waitsFor?: string;
}

/** Settings of a run. */
export interface MigrateOptions {
  readonly now?: (() => Date) | undefined;
  /** Called after each migration that this process applied. */
  readonly onApplied?: ((name: string) => void) | undefined;
  /** Called about every 5 seconds; not while a single statement holds a SQLite file. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
}

const CREATE_LEDGER = `create table if not exists probity_migrations (
  name text primary key,
  checksum text not null,
  applied_at bigint not null
)`;

/** PostgreSQL's errors when two processes create the ledger concurrently. */
const LEDGER_RACE = new Set(['23505', '42P07', '42710', 'XX000']);
const PROGRESS_MS = 5_000;

/**
 * Applies the pending migrations, each in a separate transaction that records it first, or in slices:
 * of several processes that start together one applies it, and the others wait for it and count it as
 * done. The database's time limits do not apply, and an attempt that another transaction was in the
 * way of is repeated. Returns the names applied by this process.
 *
 * @throws Error when an applied migration has been edited since, or when one fails; the failing one
 *   leaves nothing behind but completed slices
 */
export async function migrate(
  database: SqlDatabase,
  migrations: readonly Migration[],
  options: MigrateOptions = {},
): Promise<string[]> {
  await createLedger(database);
  const ledger = await readLedger(database);
  const pending = migrations.filter((migration) => !isRecorded(ledger, migration));
  const applied: string[] = [];
  for (const [index, migration] of pending.entries()) {
    const report = createReport(migration, index + 1, pending.length, options);
    const isNew = await applyMigration(database, migration, report, options).finally(report.end);
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
  const ledger = await readLedger(database).catch((error: unknown) => {
    if (isMissingLedger(error)) return new Map<string, string>();
    throw error;
  });
  return migrations.map(({ name }) => name).filter((name) => !ledger.has(name));
}

async function readLedger({ reader }: SqlDatabase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await reader.execute<{ name: string; checksum: string }>(
    'select name, checksum from probity_migrations',
    [],
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function isMissingLedger(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return [error, cause].some((each) => missingTableOf(each) === 'probity_migrations');
}

async function createLedger(database: SqlDatabase): Promise<void> {
  const create = () =>
    repeatWhileContended(
      () =>
        database.transaction(async (session) => {
          await session.execute(CREATE_LEDGER, []);
          await session.execute(CREATE_POSITIONS, []);
        }),
      () => undefined,
    );
  try {
    await create();
  } catch (error) {
    if (!LEDGER_RACE.has(String((error as { code?: unknown }).code))) throw error;
    await create();
  }
}

/** Collects the progress of one migration. */
interface Report {
  onSlice(progress: SliceProgress): void;
  onWait(reason: string): void;
  end(): void;
}

function createReport(
  { name }: Migration,
  number: number,
  count: number,
  { onProgress }: MigrateOptions,
): Report {
  const startMs = performance.now();
  let rows: SliceProgress | undefined;
  let waitsFor: string | undefined;
  const timer = setInterval(() => {
    const elapsedMs = Math.round(performance.now() - startMs);
    const about = { ...(rows && { rows }), ...(waitsFor !== undefined && { waitsFor }) };
    onProgress?.({ migration: name, number, count, elapsedMs, ...about });
  }, PROGRESS_MS);
  return {
    onSlice(progress) {
      rows = progress;
      waitsFor = undefined;
    },
    onWait(reason) {
      waitsFor = reason;
    },
    end: () => clearInterval(timer),
  };
}

/** Returns whether this process completed the migration. */
async function applyMigration(
  database: SqlDatabase,
  migration: Migration,
  report: Report,
  { now = () => new Date() }: MigrateOptions,
): Promise<boolean> {
  const record = (session: SqlSession) => recordApplied(session, migration, now());
  try {
    if (migration.slices) {
      requireSliceCondition(migration.slices.statement);
      return await runSlices(database, {
        name: migration.name,
        checksum: checksumOf(migration),
        slices: migration.slices,
        isApplied: (session) => isApplied(session, migration),
        recordApplied: async (session) => void (await record(session)),
        ...report,
      });
    }
    return await repeatWhileContended(
      (tries) =>
        database.transaction(
          async (session) => {
            await limitLockWait(session, tries);
            if (!(await record(session))) return false;
            const texts = migration.statements.map((each) => textOf(each, session));
            await lockTables(session, texts);
            for (const text of texts) await session.execute(text, []);
            return true;
          },
          { hasNoTimeLimit: true },
        ),
      report.onWait,
    );
  } catch (error) {
    if (error instanceof EditedMigration) throw error;
    const cause = rootOf(error);
    throw new Error(`The migration ${migration.name} failed: ${cause.message}`, { cause });
  }
}

function textOf(statement: MigrationStatement, { dialect }: SqlSession): string {
  return typeof statement === 'string' ? statement : statement[dialect];
}

function requireSliceCondition(statement: MigrationStatement): void {
  const texts = typeof statement === 'string' ? [statement] : Object.values<string>(statement);
  if (texts.every((text) => text.split(':rows').length === 2)) return;
  throw new Error('slices.statement must contain :rows once. Put it where the condition belongs.');
}

/** The driver's error, under those that name it for callers of the API. */
function rootOf(error: unknown): Error {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return rootOf(cause);
  return error instanceof Error ? error : new Error(String(error));
}

/** Returns false when the migration has been recorded already. */
async function recordApplied(
  session: SqlSession,
  migration: Migration,
  at: Date,
): Promise<boolean> {
  const [p1, p2, p3] = session.dialect === 'postgres' ? ['$1', '$2', '$3'] : ['?', '?', '?'];
  const { changes } = await session.execute(
    `insert into probity_migrations (name, checksum, applied_at) values (${p1}, ${p2}, ${p3})
     on conflict (name) do nothing`,
    [migration.name, checksumOf(migration), at.getTime()],
  );
  return changes > 0 || !(await isApplied(session, migration));
}

/** @throws EditedMigration when it is recorded with another text */
async function isApplied(session: SqlSession, migration: Migration): Promise<boolean> {
  const { rows } = await session.execute<{ checksum: string }>(
    `select checksum from probity_migrations
      where name = ${session.dialect === 'postgres' ? '$1' : '?'}`,
    [migration.name],
  );
  return isRecorded(new Map(rows.map(({ checksum }) => [migration.name, checksum])), migration);
}

/** @throws EditedMigration when it is recorded with another text */
function isRecorded(ledger: ReadonlyMap<string, string>, migration: Migration): boolean {
  const recorded = ledger.get(migration.name);
  if (recorded === undefined) return false;
  if (recorded === checksumOf(migration)) return true;
  throw new EditedMigration(
    `The migration ${migration.name} differs from the version that was applied to this database. ` +
      'Run the version of Probity that migrated the database, or restore a backup.',
  );
}

class EditedMigration extends Error {}

function checksumOf(migration: Migration): string {
  const normalize = (statement: string) => statement.replace(/\s+/g, ' ').trim();
  const normalized = (statement: MigrationStatement) =>
    typeof statement === 'string'
      ? normalize(statement)
      : { sqlite: normalize(statement.sqlite), postgres: normalize(statement.postgres) };
  const { slices } = migration;
  const content = slices
    ? { ...slices, statement: normalized(slices.statement) }
    : migration.statements.map(normalized);
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
