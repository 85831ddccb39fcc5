import type { SqlSession } from '@probity/core/sql';
import { countChanges, forNoKeyUpdateSkipLocked } from '@probity/core/sql';
import type { TokenRow } from './tables.ts';

type Table = 'probity_api_keys' | 'probity_scim_tokens';

/**
 * Moves `last_used` of tokens forward; returns the ids of those that do not exist or that another
 * transaction changes. Waiting for one of them with the others locked could deadlock, and would hold up
 * those who use the others.
 */
export async function touchTokens(
  session: SqlSession,
  table: Table,
  lastUsed: ReadonlyMap<string, Date>,
): Promise<string[]> {
  const db = session.kysely<Record<Table, TokenRow>>();
  const skipped: string[] = [];
  for (const [id, at] of lastUsed) {
    const own = db.selectFrom(table).select('id').where('id', '=', id);
    const change = db
      .updateTable(table)
      .set((eb) => ({
        last_used: eb
          .case()
          .when('last_used', '>', at.getTime())
          .then(eb.ref('last_used'))
          .else(at.getTime())
          .end(),
      }))
      .where('id', 'in', forNoKeyUpdateSkipLocked(session.dialect, own));
    if ((await countChanges(change)) === 0) skipped.push(id);
  }
  return skipped;
}
