import type { SelectQueryBuilder } from 'kysely';
import type { Page, PageOf } from '../paging.ts';

/**
 * Returns one page of a query, and the total number of its rows. The query selects its columns and
 * has a total order, such as `created_at` and `id`.
 */
export async function pageOf<DB, Table extends keyof DB, Row, Item>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, offset }: Page,
  toItem: (row: Row) => Item,
): Promise<PageOf<Item>> {
  const rows = await query.limit(limit).offset(offset).execute();
  return { items: rows.map(toItem), total: await countRows(query) };
}

/** Number of rows of a query; its columns and order do not matter. */
export async function countRows<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): Promise<number> {
  const counted = query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll().as('count'));
  // For tables of any type the compiler cannot infer the selected column.
  const { count } = (await counted.executeTakeFirstOrThrow()) as { count: unknown };
  return Number(count);
}
