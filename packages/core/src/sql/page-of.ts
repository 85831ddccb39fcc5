import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import { ExpressionWrapper, sql } from 'kysely';
import pLimit from 'p-limit';
import type { Page, PageOf } from '../paging.ts';

/** Rows that one statement of a list walks at most; they take some milliseconds. */
export const SLICE_ROWS = 20_000;

/** Of all lists that have more rows than a slice, one walks a slice at a time. */
const oneAtATime = pLimit(1);

/** Reads a further slice in a later turn of the event loop, so that others are served before it. */
export function inTurn<Value>(readSlice: () => Promise<Value>): Promise<Value> {
  return oneAtATime(() => nextTurn().then(readSlice));
}

/**
 * Returns one page of a query, and the total number of its rows. The query selects its columns and
 * has a total order by columns that are never null, such as `created_at` and `id`, all ascending or all
 * descending. It is walked in slices of {@link SLICE_ROWS} in this order, between which other requests
 * are served: SQLite answers within the process, and the length of a list is its tenant's choice.
 */
export function pageOf<DB, Table extends keyof DB, Row, Item>(
  query: SelectQueryBuilder<DB, Table, Row>,
  page: Page,
  toItem: (row: Row) => Item,
): Promise<PageOf<Item>> {
  const rest = (place: Place | undefined) => (place ? after(query, place) : query);
  return pageOfCounted(rest, rest, page, toItem);
}

/** The values of the order columns of a row. */
export type Place = readonly unknown[];

/**
 * Does what {@link pageOf} does with two queries, each for the rows after a place or for all.
 * @param rest selects the rows
 * @param countedRest has the same rows in the same order, and may read an index alone
 */
export async function pageOfCounted<
  DB,
  Table extends keyof DB,
  Row,
  Item,
  CountedDB,
  CountedTable extends keyof CountedDB,
  CountedRow,
>(
  rest: (place: Place | undefined) => SelectQueryBuilder<DB, Table, Row>,
  countedRest: (
    place: Place | undefined,
  ) => SelectQueryBuilder<CountedDB, CountedTable, CountedRow>,
  { limit, offset }: Page,
  toItem: (row: Row) => Item,
): Promise<PageOf<Item>> {
  let last: Place | undefined;
  let walked = 0;
  let rows: Row[] | undefined;
  for (;;) {
    if (rows === undefined && offset - walked < SLICE_ROWS) {
      rows = await rest(last)
        .limit(limit)
        .offset(offset - walked)
        .execute();
      const isEnd = rows.length < limit && (rows.length > 0 || offset === walked);
      if (isEnd) return { items: rows.map(toItem), total: offset + rows.length };
    }
    const slice = countedRest(last);
    const readEnd = () => endOfSlice(slice, SLICE_ROWS);
    last = walked === 0 ? await readEnd() : await inTurn(readEnd);
    if (!last) {
      return { items: (rows ?? []).map(toItem), total: walked + (await countRows(slice)) };
    }
    walked += SLICE_ROWS;
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
export async function endOfSlice<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  length: number,
): Promise<Place | undefined> {
  const columns = orderOf(query).columns.map((column, index) => column.as(`key_${index}`));
  const found = await query
    .clearSelect()
    .select(columns)
    .limit(1)
    .offset(length - 1)
    .executeTakeFirst();
  return found && Object.values(found);
}

/** The rows of a query after the one with these values. */
export function after<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  values: Place,
): SelectQueryBuilder<DB, Table, Row> {
  return compareOrder(query, values, orderOf(query).isDescending ? '<' : '>');
}

/** The rows of a query up to the one with these values. */
export function upTo<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  values: Place,
): SelectQueryBuilder<DB, Table, Row> {
  return compareOrder(query, values, orderOf(query).isDescending ? '>=' : '<=');
}

function compareOrder<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  values: Place,
  comparison: string,
): SelectQueryBuilder<DB, Table, Row> {
  const { columns } = orderOf(query);
  return query.where(
    sql<boolean>`(${sql.join(columns)}) ${sql.raw(comparison)} (${sql.join(values.map((value) => sql.val(value)))})`,
  );
}

/** The columns of a query's order, and whether it is descending. */
export function orderOf<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
) {
  const items = query.toOperationNode().orderBy?.items ?? [];
  const columns = items.map(({ orderBy }) => new ExpressionWrapper<DB, Table, unknown>(orderBy));
  const [first] = items.map(({ direction }) => JSON.stringify(direction ?? null));
  return { columns, isDescending: first?.includes('"desc"') ?? false };
}
