import { createJobSignal } from '../jobs/signal.ts';
import { CONNECTION_WAIT_MS, createConnectionWait } from './connection-wait.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import type { HostKysely, KyselyTransaction } from './host.ts';
import type { JoinedSession } from './join.ts';
import { createKyselySession, dialectOf, joinKysely } from './join.ts';
import { LOCK_WAIT_MS, limitLockWaits, REMOVE_TIME_LIMITS } from './lock-wait.ts';
import { READ_IN_ORDER } from './plan-settings.ts';
import { isRepeatable, repeatOnConflict, UncommittedError } from './postgres.ts';
import type { SqlDialect, SqlSession } from './session.ts';
import { requireRead } from './session.ts';

/** Settings of the adapter of a Kysely. */
export interface KyselyOptions {
  /** How long a transaction or read waits for a connection, in milliseconds; default 5000. */
  readonly connectTimeoutMs?: number | undefined;
  /** As for a pool of the host, on PostgreSQL; see {@link PostgresOptions}. */
  readonly lockTimeoutMs?: number | undefined;
}

/**
 * A database through a Kysely of the host, on its connections; closing the database leaves it open.
 * On SQLite, transactions of the host on the same Kysely delay those of Probity, and the host keeps
 * `foreign_keys` on, as better-sqlite3 does by default.
 *
 * @throws TypeError for a Kysely of another database than SQLite and PostgreSQL
 */
export function createKyselyDatabase(
  db: HostKysely,
  {
    connectTimeoutMs: waitMs = CONNECTION_WAIT_MS,
    lockTimeoutMs = LOCK_WAIT_MS,
  }: KyselyOptions = {},
): SqlDatabase {
  const dialect = dialectOf(db);
  const reader = createKyselySession(db, dialect);
  return assembleDatabase({
    dialect,
    jobSignal: createJobSignal(),
    reader: {
      ...reader,
      execute: async (text, ...rest) => {
        requireRead(text);
        const wait = createConnectionWait(waitMs);
        return wait.limit(
          db.connection().execute((connection) => {
            wait.obtained();
            return createKyselySession(connection, dialect).execute(text, ...rest);
          }),
        );
      },
      afterCommit: (callback) => callback(),
    },
    transaction: (work, { readsInOrder, hasNoTimeLimit } = {}) =>
      repeatOnConflict(() =>
        runTransaction(db, dialect, waitMs, async (session) => {
          if (dialect === 'postgres') await session.execute(limitLockWaits(lockTimeoutMs), []);
          if (dialect === 'postgres' && hasNoTimeLimit)
            await session.execute(REMOVE_TIME_LIMITS, []);
          if (dialect === 'postgres' && readsInOrder) await session.execute(READ_IN_ORDER, []);
          return work(session);
        }),
      ),
    close: async () => undefined,
  });
}

async function runTransaction<T>(
  db: HostKysely,
  dialect: SqlDialect,
  waitMs: number,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  let joined: JoinedSession | undefined;
  let hasFinished = false;
  const wait = createConnectionWait(waitMs);
  try {
    const running = db.transaction().execute(async (transaction: KyselyTransaction) => {
      wait.obtained();
      joined = joinKysely(transaction, dialect);
      const value = await work(joined);
      hasFinished = true;
      return value;
    });
    const result = await wait.limit(running);
    joined?.committed();
    return result;
  } catch (error) {
    // After an error of COMMIT the outcome is unknown, so it is never tried again.
    if (hasFinished || !isRepeatable(error)) throw error;
    throw new UncommittedError('', { cause: error });
  }
}
