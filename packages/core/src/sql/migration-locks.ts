import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from './busy.ts';
import type { SqlSession } from './session.ts';

/** Deadlock, serialization failure, lock time-out: the transaction can run again. */
const CONTENDED = new Set(['40001', '40P01', '55P03']);
/** A waiting lock request holds up all later ones for the table, so a short wait ends it. */
const LOCK_STEP_MS = 1_000;
const LONGEST_LOCK_MS = 10_000;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_WAIT_MS = 600_000;

/** Statements that change an existing table, and the lock that each needs. */
const LOCKS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:alter|drop) table (?:if exists )?(\w+)/gi, 'access exclusive'],
  [/\b(?:update|delete from) (\w+)/gi, 'exclusive'],
  [/\breferences (\w+)/gi, 'share row exclusive'],
  [/\bcreate (?:unique )?index \w+ on (\w+)/gi, 'share row exclusive'],
];

/** The tables that the statements change, each with its strongest lock, in the order of names. */
function locksOf(statements: readonly string[]): Array<readonly [string, string]> {
  const locks = new Map<string, string>();
  for (const [pattern, mode] of LOCKS) {
    for (const statement of statements) {
      for (const [, table] of statement.replace(/\s+/g, ' ').matchAll(pattern)) {
        if (table !== undefined && !locks.has(table)) locks.set(table, mode);
      }
    }
  }
  return [...locks].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Locks the tables before the first statement, so that a wait ends before there is work to lose. */
export async function lockTables(
  session: SqlSession,
  statements: readonly string[],
): Promise<void> {
  if (session.dialect !== 'postgres') return;
  for (const [table, mode] of locksOf(statements)) {
    const { rows } = await session.execute<{ found: string | null }>(
      'select to_regclass($1)::text as found',
      [table],
    );
    if (rows[0]?.found) await session.execute(`lock table ${table} in ${mode} mode`, []);
  }
}

/** Limits each wait for a lock of the open transaction; later attempts wait longer. */
export async function limitLockWait(
  { dialect, execute }: SqlSession,
  tries: number,
): Promise<void> {
  if (dialect !== 'postgres') return;
  const limitMs = Math.min(LOCK_STEP_MS * tries, LONGEST_LOCK_MS);
  await execute(`set local lock_timeout = ${limitMs}`, []);
}

/** Repeats an attempt that another transaction was in the way of, for up to ten minutes. */
export async function repeatWhileContended<T>(
  attempt: (tries: number) => Promise<T>,
  onWait: (reason: string) => void,
): Promise<T> {
  const startMs = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries);
    } catch (error) {
      if (!isContended(error) || performance.now() - startMs > LONGEST_WAIT_MS) throw error;
      onWait((error as Error).message);
    }
    await delay((0.5 + Math.random() / 2) * Math.min(100 * 2 ** tries, LONGEST_PAUSE_MS));
  }
}

function isContended(error: unknown): boolean {
  return isBusy(error) || CONTENDED.has(String((error as { code?: unknown }).code));
}
