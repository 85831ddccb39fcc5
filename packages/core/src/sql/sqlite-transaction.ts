import { randomBytes } from 'node:crypto';
import type { SqliteConnection } from './sqlite-driver.ts';

/** Tells whether the transaction in which it was created is still open. */
export interface SqliteTransactionMark {
  isOpen(): boolean;
}

/**
 * Marks the open transaction of a connection by a savepoint, since SQLite tells whether a
 * transaction is open, but not which. A savepoint can only be looked up by releasing it, which also
 * releases those that were opened after it; so it is moved to the innermost level at every look-up.
 */
export function markSqliteTransaction(
  connection: Pick<SqliteConnection, 'prepare' | 'inTransaction'>,
): SqliteTransactionMark {
  const name = `probity_${randomBytes(8).toString('hex')}`;
  const set = connection.prepare(`SAVEPOINT ${name}`);
  const release = connection.prepare(`RELEASE ${name}`);
  set.run();
  return {
    isOpen() {
      // Outside a transaction SAVEPOINT would begin one.
      if (!connection.inTransaction) return false;
      try {
        release.run();
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('no such savepoint')) return false;
        throw error;
      }
      set.run();
      return true;
    },
  };
}
