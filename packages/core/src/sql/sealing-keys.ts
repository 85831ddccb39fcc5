import type { SqlDatabase } from './database.ts';
import { prepareQuery } from './prepared-query.ts';
import type { SealingKeyRow, SealingKeyTables } from './tables.ts';

/**
 * The keys that secrets in the database are sealed under, by their ids (see `SecretBox.keyId`). A
 * program that starts with another key could open none of them, and would seal new ones that the
 * rest of its instances cannot open.
 */
export interface SealingKeys {
  list(): Promise<string[]>;
  /** Notes that secrets are sealed under the key from now on; does nothing when that is known. */
  register(keyId: string, at: Date): Promise<void>;
}

/** The sealing keys of a database. */
export function createSqlSealingKeys(database: SqlDatabase): SealingKeys {
  return {
    async list() {
      const rows = await selectKeys(database.reader, {});
      return rows.map(({ id }) => id);
    },
    async register(keyId, at) {
      const row = { id: keyId, first_used_at: at.getTime() };
      await database.transaction((session) => insertKey(session, row));
    },
  };
}

const selectKeys = prepareQuery<SealingKeyTables, object, SealingKeyRow>((db) =>
  db.selectFrom('sealing_keys').selectAll().orderBy('first_used_at'),
);

const insertKey = prepareQuery<SealingKeyTables, SealingKeyRow, object>((db, value) =>
  db
    .insertInto('sealing_keys')
    .values({ id: value('id'), first_used_at: value('first_used_at') })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);
