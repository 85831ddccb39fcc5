import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import { ExpressionWrapper, sql } from 'kysely';
import pLimit from 'p-limit';
import type { Page, PageOf } from '../paging.ts';

/** Rows that one statement of a list walks at most; they take some milliseconds. */
export const SLICE_ROWS = 20_000;

/** Of all lists that have more rows than a slice, one walks a slice at a time. */
const inTurn = pLimit(1);

/**
 * Returns one page of a query, and the total number of its rows. The query selects its columns and
 * has a total order by columns that are never null, such as `created_at` and `id`, all ascending or all
 * descending. It is walked in slices of {@link SLICE_ROWS} in this order, between which other requests
 * are served: SQLite answers within the process, and the length of a list is its tenant's choice.
 */
export async function pageOf<DB, Table extends keyof DB, Row, Item>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, offset }: Page,
  toItem: (row: Row) => Item,
): Promise<PageOf<Item>> {
  let rest = query;
  let walked = 0;
  let rows: Row[] | undefined;
  for (;;) {
    if (rows === undefined && offset - walked < SLICE_ROWS) {
      rows = await rest
        .limit(limit)
        .offset(offset - walked)
        .execute();
      const isEnd = rows.length < limit && (rows.length > 0 || offset === walked);
      if (isEnd) return { items: rows.map(toItem), total: offset + rows.length };
    }
    const slice = rest;
    const last =
      walked === 0
        ? await lastOfSlice(slice)
        : await inTurn(() => nextTurn().then(() => lastOfSlice(slice)));
    if (!last) {
      return { items: (rows ?? []).map(toItem), total: walked + (await countRows(rest)) };
    }
    walked += SLICE_ROWS;
    rest = after(query, last);
  }
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

/** The values of the order columns in the last row of the first slice; undefined when it is not full. */
async function lastOfSlice<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): Promise<unknown[] | undefined> {
  const columns = orderOf(query).columns.map((column, index) => column.as(`key_${index}`));
  const found = await query
    .clearSelect()
    .select(columns)
    .limit(1)
    .offset(SLICE_ROWS - 1)
    .executeTakeFirst();
  return found && Object.values(found);
}

/** The rows of a query behind the one with these values. */
function after<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  values: readonly unknown[],
): SelectQueryBuilder<DB, Table, Row> {
  const { columns, isDescending } = orderOf(query);
  const comparison = sql.raw(isDescending ? '<' : '>');
  return query.where(
    sql<boolean>`(${sql.join(columns)}) ${comparison} (${sql.join(values.map((value) => sql.val(value)))})`,
  );
}

function orderOf<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>) {
  const items = query.toOperationNode().orderBy?.items ?? [];
  const columns = items.map(({ orderBy }) => new ExpressionWrapper<DB, Table, unknown>(orderBy));
  const [first] = items.map(({ direction }) => JSON.stringify(direction ?? null));
  return { columns, isDescending: first?.includes('"desc"') ?? false };
}
