import type { DeleteResult, SelectQueryBuilder, UpdateResult } from 'kysely';
import { sql } from 'kysely';
import type { SqlSession } from './session.ts';

/** A deletion or an update, built with Kysely and not yet executed. */
export interface ChangeQuery {
  executeTakeFirst(): Promise<DeleteResult | UpdateResult>;
}

/**
 * Runs a deletion or an update and returns the number of its rows.
 *
 * @example
 * const held = await countChanges(
 *   db.updateTable('probity_webhook_deliveries').set({ status: 'held' }).where('status', '=', 'pending'),
 * );
 */
export async function countChanges(query: ChangeQuery): Promise<number> {
  const result = await query.executeTakeFirst();
  return Number('numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows);
}

/**
 * Deletes the rows of `table` whose `key` is selected, and returns their number: one batch of a
 * retention rule, whose size is the limit of the selection.
 *
 * @example
 * const old = db.selectFrom('probity_sessions').select('id').where('expires_at', '<', before).limit(100);
 * const deleted = await deleteBatch(session, 'probity_sessions', 'id', old);
 */
export function deleteBatch<
  Tables,
  Table extends keyof Tables & string,
  Key extends keyof Tables[Table] & string,
>(
  session: SqlSession,
  table: Table,
  key: Key,
  selected: SelectQueryBuilder<Tables, Table, Record<Key, string>>,
): Promise<number> {
  // For tables of any type the compiler cannot infer the columns.
  const deletion = session.kysely<Record<string, object>>().deleteFrom<string>(table);
  return countChanges(deletion.where(sql.ref<string>(key), 'in', selected));
}
