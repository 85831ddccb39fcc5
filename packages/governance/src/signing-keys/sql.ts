import type { SqlSession } from '@probity/core/sql';
import { countChanges, requireSealingKey, sealedColumn, toDate } from '@probity/core/sql';
import type { SigningKeyReads, SigningKeyWrites } from './storage.ts';

/** Times are milliseconds since 1970. */
interface SigningKeyRow {
  id: string;
  x: string;
  /** Null for a key that no longer signs. */
  sealed_key: string | null;
  /** 1 for the key that signs, null for others: the unique index permits one. */
  signs: number | null;
  created_at: number;
  retired_at: number | null;
}

interface SigningKeyTables {
  probity_signing_keys: SigningKeyRow;
  /** The columns that say whether a key is still needed. */
  probity_certificates: { key_id: string; expires_at: number };
}

/** Reads signing keys on a SQL session. */
export function createSqlSigningKeyReads(session: SqlSession): SigningKeyReads {
  const keys = () => session.kysely<SigningKeyTables>().selectFrom('probity_signing_keys');
  return {
    async findSigningKey() {
      const row = await keys().selectAll().where('signs', '=', 1).executeTakeFirst();
      if (!row || row.sealed_key === null) return null;
      const { id, x, sealed_key: sealedKey, created_at: createdAt } = row;
      return { id, x, sealedKey, createdAt: toDate(createdAt) };
    },
    async listPublicKeys(now) {
      const rows = await keys()
        .select(['id', 'x', 'created_at'])
        .where((eb) =>
          eb.or([
            eb('signs', '=', 1),
            eb.exists(
              eb
                .selectFrom('probity_certificates')
                .select('key_id')
                .whereRef('key_id', '=', 'probity_signing_keys.id')
                .where('expires_at', '>', now.getTime()),
            ),
          ]),
        )
        .execute();
      // Few, so that no index is worth its while.
      rows.sort((left, right) => right.created_at - left.created_at);
      return rows.map(({ id, x }) => ({ id, x }));
    },
    listSealedSigningKeys: (exceptKeyId, after, limit) =>
      columnOf(session).list(exceptKeyId, after, limit),
  };
}

/** Writes signing keys on a SQL session. */
export function createSqlSigningKeyWrites(session: SqlSession): SigningKeyWrites {
  const db = () => session.kysely<SigningKeyTables>();
  return {
    async insertSigningKey({ id, x, sealedKey, createdAt }) {
      await requireSealingKey(session, sealedKey);
      const stored = await db()
        .insertInto('probity_signing_keys')
        .values({
          ...{ id, x, sealed_key: sealedKey, signs: 1 },
          ...{ created_at: createdAt.getTime(), retired_at: null },
        })
        .onConflict((conflict) => conflict.column('signs').doNothing())
        .returning('id')
        .executeTakeFirst();
      return stored !== undefined;
    },
    async retireSigningKey(id, at) {
      const retirement = db()
        .updateTable('probity_signing_keys')
        .set({ sealed_key: null, signs: null, retired_at: at.getTime() })
        .where('id', '=', id)
        .where('signs', '=', 1);
      return (await countChanges(retirement)) > 0;
    },
    replaceSealedSigningKey: (value) => columnOf(session).replace(value),
  };
}

function columnOf(session: SqlSession) {
  return sealedColumn(session, 'probity_signing_keys', 'sealed_key');
}
