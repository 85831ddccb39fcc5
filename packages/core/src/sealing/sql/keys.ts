import { sealingKeyOf } from '../../crypto/secret-box.ts';
import { ProbityError } from '../../errors.ts';
import type { SqlDatabase } from '../../sql/database.ts';
import { prepareQuery } from '../../sql/prepared-query.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { SealingKeys } from '../sealing-keys.ts';

/** Tables of the keys that secrets are sealed under. */
interface SealingKeyTables {
  probity_sealing_keys: SealingKeyRow;
}

interface SealingKeyRow {
  id: string;
  first_used_at: number;
  retired_at: number | null;
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
    registerComplete: (keyIds, at) =>
      database.transaction(async (session) => {
        // No key is retired until this transaction ends, and the next statement sees those added before.
        await lockKeys[session.dialect](session, {});
        const inUse = await selectKeys(session, {});
        const missing = inUse.map(({ id }) => id).filter((id) => !keyIds.includes(id));
        const [first] = keyIds;
        if (missing.length === 0 && first !== undefined) {
          await insertKey(session, { id: first, first_used_at: at.getTime() });
        }
        return missing;
      }),
    async retire(keyId, at) {
      const change = { id: keyId, retiredAt: at.getTime() };
      await database.transaction((session) => retireKey(session, change));
    },
  };
}

/**
 * Every storage calls this in the transaction that stores a sealed value; `SealingKeys.retire`
 * depends on it. A key that was never registered is the host's responsibility.
 *
 * @throws ProbityError `unavailable` when the value is sealed under a retired key: the process has
 *   not learned of the rotation yet
 */
export async function requireSealingKey(session: SqlSession, sealed: string): Promise<void> {
  const key = await selectRetirement[session.dialect](session, { id: sealingKeyOf(sealed) });
  if (!key[0]?.retired_at) return;
  throw new ProbityError(
    'unavailable',
    'The encryption key was rotated and this process has not loaded the new one yet.',
    { headers: { 'Retry-After': '5' } },
  );
}

const selectKeys = prepareQuery<SealingKeyTables, object, { id: string }>((db) =>
  db
    .selectFrom('probity_sealing_keys')
    .select('id')
    .where('retired_at', 'is', null)
    .orderBy('first_used_at'),
);

const lockKeys = {
  sqlite: async () => [],
  postgres: prepareQuery<SealingKeyTables, object, { id: string }>((db) =>
    db.selectFrom('probity_sealing_keys').select('id').orderBy('id').forNoKeyUpdate(),
  ),
};

const insertKey = prepareQuery<SealingKeyTables, Omit<SealingKeyRow, 'retired_at'>, object>(
  (db, value) =>
    db
      .insertInto('probity_sealing_keys')
      .values({ id: value('id'), first_used_at: value('first_used_at'), retired_at: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ retired_at: null })),
);

const retireKey = prepareQuery<SealingKeyTables, { id: string; retiredAt: number }, object>(
  (db, value) =>
    db
      .updateTable('probity_sealing_keys')
      .set({ retired_at: value('retiredAt') })
      .where('id', '=', value('id')),
);

type Retirement = Pick<SealingKeyRow, 'retired_at'>;

/**
 * Share-locks the row until the transaction ends, so that retiring waits; SQLite has one writer.
 */
const selectRetirement = {
  sqlite: prepareQuery<SealingKeyTables, { id: string }, Retirement>((db, value) =>
    db.selectFrom('probity_sealing_keys').select('retired_at').where('id', '=', value('id')),
  ),
  postgres: prepareQuery<SealingKeyTables, { id: string }, Retirement>((db, value) =>
    db
      .selectFrom('probity_sealing_keys')
      .select('retired_at')
      .where('id', '=', value('id'))
      .forShare(),
  ),
};
