import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlDatabase } from './database.ts';
import type { MigrationSlices } from './migration.ts';
import { limitLockWait, repeatWhileContended } from './migration-locks.ts';
import type { SqlSession } from './session.ts';
import { FIRST_ROWS, nextSliceSize } from './slice-size.ts';

/** How far the slices of a migration are. */
export interface SliceProgress {
  readonly done: number;
  readonly total: number;
}

/** What {@link runSlices} runs, and whom it tells. */
export interface SliceRun {
  readonly name: string;
  readonly checksum: string;
  readonly slices: MigrationSlices;
  /** Whether the migration is complete, perhaps by another process. */
  isApplied(session: SqlSession): Promise<boolean>;
  /** Records within the last slice's transaction that the migration is complete. */
  recordApplied(session: SqlSession): Promise<void>;
  onSlice(progress: SliceProgress): void;
  onWait(reason: string): void;
}

/** The positions of sliced migrations that are in progress. */
export const CREATE_POSITIONS = `create table if not exists probity_migration_positions (
  name text primary key,
  checksum text not null,
  position text,
  done bigint not null,
  total bigint not null
)`;

/** Long enough to carry the costs of a commit, short enough for those who wait for the writer. */
const AIM_MS = 100;

interface Position extends SliceProgress {
  /** Key of the last row that was walked; undefined before the first slice. */
  readonly key?: string | number;
  readonly checksum: string;
}

/**
 * Runs a migration in slices, from the stored position on; several processes share the work.
 * Returns whether this process completed it.
 */
export async function runSlices(database: SqlDatabase, run: SliceRun): Promise<boolean> {
  let limit = FIRST_ROWS;
  for (;;) {
    const startMs = performance.now();
    const outcome = await repeatWhileContended(
      (tries) =>
        database.transaction(
          async (session) => {
            await limitLockWait(session, tries);
            return runSlice(session, run, limit);
          },
          { hasNoTimeLimit: true },
        ),
      run.onWait,
    );
    if (outcome === 'completed' || outcome === 'elsewhere') return outcome === 'completed';
    run.onSlice(outcome);
    limit = nextSliceSize(limit, performance.now() - startMs, AIM_MS);
    await nextTurn();
  }
}

async function runSlice(
  session: SqlSession,
  run: SliceRun,
  limit: number,
): Promise<SliceProgress | 'completed' | 'elsewhere'> {
  const { slices, name } = run;
  const position = await lockPosition(session, run);
  if (await run.isApplied(session)) {
    await deletePosition(session, name);
    return 'elsewhere';
  }
  const { until, rows } = await endOfSlice(session, slices, position, limit);
  if (until === null) {
    await run.recordApplied(session);
    await deletePosition(session, name);
    return 'completed';
  }
  const { dialect } = session;
  const text = typeof slices.statement === 'string' ? slices.statement : slices.statement[dialect];
  const lower = position.key === undefined ? [] : [position.key];
  const condition = [
    ...lower.map(() => `${slices.table}.${slices.key} > ${placeholder(session, 1)}`),
    `${slices.table}.${slices.key} <= ${placeholder(session, lower.length + 1)}`,
  ].join(' and ');
  await session.execute(
    text.replace(':rows', () => `(${condition})`),
    [...lower, until],
  );
  const done = position.done + rows;
  const [p1, p2, p3] = [1, 2, 3].map((index) => placeholder(session, index));
  await session.execute(
    `update probity_migration_positions set position = ${p1}, done = ${p2} where name = ${p3}`,
    [JSON.stringify(until), done, name],
  );
  return { done, total: Math.max(done, position.total) };
}

/** The position, locked until the transaction ends; created with the number of rows if missing. */
async function lockPosition(
  session: SqlSession,
  { name, checksum, slices }: SliceRun,
): Promise<Position> {
  const [p1, p2] = [1, 2].map((index) => placeholder(session, index));
  const lock = session.dialect === 'postgres' ? ' for update' : '';
  const find = () =>
    session.execute<{ checksum: string; position: string | null; done: number; total: number }>(
      `select checksum, position, done, total from probity_migration_positions
        where name = ${p1}${lock}`,
      [name],
    );
  const stored = (await find()).rows[0];
  if (!stored) {
    await session.execute(
      `insert into probity_migration_positions (name, checksum, position, done, total)
        values (${p1}, ${p2}, null, 0, (select count(*) from ${slices.table}))
        on conflict (name) do nothing`,
      [name, checksum],
    );
  }
  const row = stored ?? (await find()).rows[0];
  if (!row || row.checksum !== checksum) {
    throw new Error('another version of it has begun; run that version of Probity to its end');
  }
  const { position, done, total } = row;
  const key = position === null ? {} : { key: JSON.parse(position) as string | number };
  return { ...key, checksum, done: Number(done), total: Number(total) };
}

function deletePosition(session: SqlSession, name: string) {
  return session.execute(
    `delete from probity_migration_positions where name = ${placeholder(session, 1)}`,
    [name],
  );
}

async function endOfSlice(
  session: SqlSession,
  { table, key }: MigrationSlices,
  { key: after }: Position,
  limit: number,
): Promise<{ readonly until: string | number | null; readonly rows: number }> {
  const condition = after === undefined ? '' : `where ${key} > ${placeholder(session, 1)}`;
  const { rows } = await session.execute<{ until: string | number | null; rows: number }>(
    `select max(${key}) as until, count(*) as rows
      from (select ${key} from ${table} ${condition} order by ${key} limit ${limit}) as slice`,
    after === undefined ? [] : [after],
  );
  const [found] = rows;
  return { until: found?.until ?? null, rows: Number(found?.rows ?? 0) };
}

function placeholder({ dialect }: SqlSession, index: number): string {
  return dialect === 'postgres' ? `$${index}` : '?';
}
