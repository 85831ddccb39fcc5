import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageOf } from '../paging.ts';
import type { Place } from './page-of.ts';
import { after, countRows, endOfSlice, inTurn, orderOf, pageOfCounted, upTo } from './page-of.ts';

/** Rows that one statement walks, of which each may cost a look-up in a table that is not in memory. */
export const WALKED_ROWS = 5_000;

/** The times of a list's rows, which are its first order column. */
export interface TimeRange {
  readonly since?: Date | undefined;
  /** Later than the last time. */
  readonly until?: Date | undefined;
}

/** What rows are grouped by: expressions by their names. */
export type GroupKeys = Readonly<Record<string, RawBuilder<unknown>>>;

/** The values of a group under the names of its {@link GroupKeys}, and how many rows it has. */
export interface GroupCount {
  readonly key: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** Rows of a list after the one and up to the other place; without a place, from the first or to the last row. */
interface Part {
  readonly after?: Place | undefined;
  readonly until?: Place | undefined;
}

/**
 * One way to find the rows of a list with several conditions: all rows that meet one condition are walked, and the
 * others are compared. Several paths to the same rows differ in the condition whose rows are walked.
 */
export interface ListPath<Row> {
  /** Whether every row that is walked matches. */
  readonly isExact: boolean;
  /** Whether the list begins with its greatest place. */
  readonly isDescending: boolean;
  /** The last place of the slice after a place; undefined when the rest is shorter than a slice. */
  endOfSlice(place: Place | undefined): Promise<Place | undefined>;
  count(part: Part): Promise<number>;
  /** The groups of the matching rows by these expressions, under their names, with the number of rows of each. */
  countGroups(part: Part, by: GroupKeys): Promise<GroupCount[]>;
  read(part: Part, page: Page): Promise<Row[]>;
  page<Item>(page: Page, toItem: (row: Row) => Item): Promise<PageOf<Item>>;
}

/**
 * Creates a path from two queries in the order of the list, which an index has for the first one.
 * @param walked the rows that meet one condition
 * @param matching those of them that meet all conditions; the others in a form that no index serves, such as
 *   {@link compares}, so that the database walks the rows of the first query
 * @param options `isExact`: whether every row that is walked matches; `times`: the range of the list, which the queries do
 *   not compare, since SQLite would begin each slice at its end
 */
export function listPath<
  DB,
  Table extends keyof DB,
  Row,
  WalkedDB,
  WalkedTable extends keyof WalkedDB,
  WalkedRow,
>(
  walked: SelectQueryBuilder<WalkedDB, WalkedTable, WalkedRow>,
  matching: SelectQueryBuilder<DB, Table, Row>,
  options: { readonly isExact?: boolean; readonly times?: TimeRange | undefined } = {},
): ListPath<Row> {
  const { isExact = (walked as unknown) === matching, times } = options;
  const partOf = (part: Part) => within(matching, part, times);
  return {
    isExact,
    isDescending: orderOf(matching).isDescending,
    endOfSlice: (place) => endOfSlice(within(walked, { after: place }, times), WALKED_ROWS),
    count: (part) => countRows(partOf(part)),
    async countGroups(part, by) {
      const grouped = partOf(part)
        .clearSelect()
        .clearOrderBy()
        .select(Object.entries(by).map(([name, value]) => value.as(name)))
        .select((eb) => eb.fn.countAll().as('count'))
        .groupBy(Object.keys(by).map((name) => sql.ref(name)));
      // For tables of any type the compiler cannot infer the selected columns.
      const rows = (await grouped.execute()) as Array<Record<string, unknown>>;
      return rows.map(({ count, ...key }) => ({ key, count: Number(count) }));
    },
    read: (part, { limit, offset }) => partOf(part).limit(limit).offset(offset).execute(),
    page: (page, toItem) =>
      pageOfCounted(
        (place) => partOf({ after: place }),
        (place) => within(walked, { after: place }, times),
        page,
        toItem,
      ),
  };
}

/** A part of a query, with one condition at each end: a time only where no place is nearer. */
function within<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  part: Part,
  { since, until }: TimeRange = {},
): SelectQueryBuilder<DB, Table, Row> {
  const { columns, isDescending } = orderOf(query);
  const [time] = columns;
  const from = since && sql<boolean>`${time} >= ${since.getTime()}`;
  const before = until && sql<boolean>`${time} < ${until.getTime()}`;
  const [first, last] = isDescending ? [before, from] : [from, before];
  let narrowed = query;
  if (part.after) narrowed = after(narrowed, part.after);
  else if (first) narrowed = narrowed.where(first);
  if (part.until) narrowed = upTo(narrowed, part.until);
  else if (last) narrowed = narrowed.where(last);
  return narrowed;
}

/** That a column has a value, which no index is used for. */
export function compares(column: string, value: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} || '' = ${value}`;
}

/**
 * The paths to the rows of a query that meet all conditions: one for each, in whose order an index has the rows that
 * meet it.
 * @param conditions columns and their values; those whose value is undefined do not count
 * @param options `others`: a condition that no index serves; `times`: the range of the list
 */
export function equalityPaths<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  conditions: Readonly<Record<string, string | undefined>>,
  options: {
    readonly others?: RawBuilder<boolean> | undefined;
    readonly times?: TimeRange | undefined;
  } = {},
): Array<ListPath<Row>> {
  const { others, times } = options;
  const compared = (matching: typeof query) => (others ? matching.where(others) : matching);
  const given = Object.entries(conditions).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  );
  if (given.length === 0) return [listPath(query, compared(query), { times })];
  return given.map(([column, value]) => {
    const walked = query.where(sql<boolean>`${sql.ref(column)} = ${value}`);
    const further = given.filter(([other]) => other !== column);
    const matching = further.reduce(
      (narrowed, [other, its]) => narrowed.where(compares(other, its)),
      walked,
    );
    return listPath(walked, compared(matching), { times });
  });
}

/**
 * Returns one page of a list that several paths lead to, and the total number of its rows. Walks the path with the
 * fewest rows, by its first slice, in slices of {@link WALKED_ROWS}, whether or not they match, and serves other requests in between.
 */
export async function pageOfPaths<Row, Item>(
  paths: ReadonlyArray<ListPath<Row>>,
  { limit, offset }: Page,
  toItem: (row: Row) => Item,
): Promise<PageOf<Item>> {
  const path = await shortestOf(paths);
  if (path.isExact) return path.page({ limit, offset }, toItem);
  const items: Item[] = [];
  let total = 0;
  await walk(path, async (part) => {
    const count = await path.count(part);
    const wanted = { limit: limit - items.length, offset: Math.max(0, offset - total) };
    if (count > wanted.offset && wanted.limit > 0) {
      items.push(...(await path.read(part, wanted)).map(toItem));
    }
    total += count;
  });
  return { items, total };
}

/**
 * Counts the rows of a list by groups within the database, along the path that {@link pageOfPaths} walks.
 * @param add receives the groups of each slice; one whose rows lie in several slices comes as often
 */
export async function countGroups<Row>(
  paths: ReadonlyArray<ListPath<Row>>,
  by: GroupKeys,
  add: (group: GroupCount) => void,
): Promise<void> {
  const path = await shortestOf(paths);
  await walk(path, async (part) => (await path.countGroups(part, by)).forEach(add));
}

/** Visits the slices of a path, each in a later turn of the event loop than the one before. */
async function walk<Row>(path: ListPath<Row>, visit: (part: Part) => Promise<void>): Promise<void> {
  let last: Place | undefined;
  do {
    const visitSlice = async () => {
      const until = await path.endOfSlice(last);
      await visit({ after: last, until });
      return until;
    };
    last = last === undefined ? await visitSlice() : await inTurn(visitSlice);
  } while (last !== undefined);
}

/** The path with less than a slice of rows, or the one whose first slice reaches the furthest. */
async function shortestOf<Row>(paths: ReadonlyArray<ListPath<Row>>): Promise<ListPath<Row>> {
  const [first, ...others] = paths;
  if (!first) throw new TypeError('A list needs a path.');
  if (others.length === 0) return first;
  let shortest: { readonly path: ListPath<Row>; readonly end: Place } | undefined;
  for (const path of paths) {
    const end = await path.endOfSlice(undefined);
    if (end === undefined) return path;
    if (!shortest || reachesFurther(path, end, shortest.end)) shortest = { path, end };
  }
  return shortest?.path ?? first;
}

function reachesFurther<Row>(
  { isDescending }: ListPath<Row>,
  [end]: Place,
  [than]: Place,
): boolean {
  const difference = Number(end) - Number(than);
  return isDescending ? difference < 0 : difference > 0;
}
