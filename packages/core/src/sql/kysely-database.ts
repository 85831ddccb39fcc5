import { createJobSignal } from '../jobs/signal.ts';
import type { SqlDatabase } from './database.ts';
import { assembleDatabase } from './database.ts';
import type { HostKysely, KyselyTransaction } from './host.ts';
import type { JoinedSession } from './join.ts';
import { createKyselySession, dialectOf, joinKysely } from './join.ts';
import { isRepeatable, repeatOnConflict, UncommittedError } from './postgres.ts';
import type { SqlDialect, SqlSession } from './session.ts';
import { requireRead } from './session.ts';

/**
 * A database through a Kysely of the host, on its connections; closing the database leaves it open.
 * On SQLite, transactions of the host on the same Kysely delay those of Probity, and the host keeps
 * `foreign_keys` on, as better-sqlite3 does by default.
 *
 * @throws TypeError for a Kysely of another database than SQLite and PostgreSQL
 */
export function createKyselyDatabase(db: HostKysely): SqlDatabase {
  const dialect = dialectOf(db);
  const reader = createKyselySession(db, dialect);
  return assembleDatabase({
    dialect,
    jobSignal: createJobSignal(),
    reader: {
      ...reader,
      execute: async (text, ...rest) => {
        requireRead(text);
        return reader.execute(text, ...rest);
      },
      afterCommit: (callback) => callback(),
    },
    transaction: (work) => repeatOnConflict(() => runTransaction(db, dialect, work)),
    close: async () => undefined,
  });
}

async function runTransaction<T>(
  db: HostKysely,
  dialect: SqlDialect,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  let joined: JoinedSession | undefined;
  let hasFinished = false;
  try {
    const result = await db.transaction().execute(async (transaction: KyselyTransaction) => {
      joined = joinKysely(transaction, dialect);
      const value = await work(joined);
      hasFinished = true;
      return value;
    });
    joined?.committed();
    return result;
  } catch (error) {
    // After an error of COMMIT the outcome is unknown, so it is never tried again.
    if (hasFinished || !isRepeatable(error)) throw error;
    throw new UncommittedError('', { cause: error });
  }
}
