import { sql } from 'kysely';
import { sealedPrefix } from '../../crypto/secret-box.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { ReplacedValue, SealedValue } from '../sealed-values.ts';
import { requireSealingKey } from './keys.ts';

/** A column of sealed values. */
export interface SealedColumn {
  /** See `SealedValues.list`. */
  list(exceptKeyId: string, after: string, limit: number): Promise<SealedValue[]>;
  /** Stores `to` if the row holds `from`; otherwise changes nothing. */
  replace(value: ReplacedValue): Promise<void>;
}

/** The sealed values of a column on a SQL session, for key rotation. */
export function sealedColumn(
  session: SqlSession,
  table: string,
  column: string,
  idColumn = 'id',
): SealedColumn {
  const [from, at, key] = [sql.table(table), sql.ref(column), sql.ref(idColumn)];
  return {
    async list(exceptKeyId, after, limit) {
      const { rows } = await sql<SealedValue>`
        select ${key} as id, ${at} as sealed from ${from}
        where ${key} > ${after} and ${at} not like ${`${sealedPrefix(exceptKeyId)}%`}
        order by ${key} limit ${limit}`.execute(session.kysely());
      return rows;
    },
    async replace({ id, from: old, to }) {
      await requireSealingKey(session, to);
      await sql`update ${from} set ${at} = ${to} where ${key} = ${id} and ${at} = ${old}`.execute(
        session.kysely(),
      );
    },
  };
}
