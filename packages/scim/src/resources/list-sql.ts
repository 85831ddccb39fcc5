import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlSession } from '@probity/core/sql';
import { scimError } from '../errors.ts';
import type { Fragment } from '../filters/fragment.ts';
import { fragment, rawFragment, toStatementText } from '../filters/fragment.ts';
import { indexedCandidates } from '../filters/indexed.ts';
import type { SearchTable } from '../filters/search-table.ts';
import type { SortExpression } from '../filters/sql.ts';
import { compileFilter, sortExpression } from '../filters/sql.ts';
import type { Filter } from '../filters/types.ts';
import type { ResourcePage, ResourceQuery } from './types.ts';

/** A table of resources that is listed. */
export interface ListedTable<Row, Resource> {
  readonly search: SearchTable;
  readonly columns: readonly string[];
  toResource(row: Row): Resource;
  /** Those of these resources that match a filter which is not expressible in SQL. */
  select(filter: Filter, resources: readonly Resource[]): Promise<readonly Resource[]>;
}

/**
 * Rows that one statement looks at, since SQLite answers within the process: without a filter, for a filter of one term
 * in SQL (less for more of them), and for filters that are evaluated here.
 */
const SLICE_ROWS = { counted: 20_000, compared: 2_000, matched: 200 } as const;
const MIN_SLICE_ROWS = 50;

/**
 * Resources that are sorted when the filter is not expressible in SQL, and without an index on SQLite, which sorts all of
 * them in one statement within the process.
 */
const MAX_SORTED = { matched: 10_000, compared: 20_000 } as const;

/** How a list is read. */
interface Plan {
  /** Rows that may match, as found by an index; all of the organization without one. */
  readonly candidates: Fragment;
  /**
   * The column of the organization; of candidates, which are found by other indexes, as an expression that no index has,
   * or SQLite, without statistics, would read all rows of the organization.
   */
  readonly organization: Fragment;
  /** Condition on the candidates. */
  readonly condition: Fragment;
  /** Filter that decides on the rows that meet the condition; null when they match. */
  readonly rest: Filter | null;
  /** Whether the rows that match are found without looking at many others. */
  readonly isDirect: boolean;
  /** Whether at most one row matches. */
  readonly isUnique: boolean;
  /** Largest number of rows that one statement looks at. */
  readonly sliceRows: number;
  /** Whether SQLite keeps the statements prepared. */
  readonly keep: boolean;
}

interface Place {
  readonly id: string;
  readonly created_at: number;
}

/**
 * Reads a page of resources. Filters are conditions in SQL as far as they can be; the rows of an organization that no
 * index narrows down are looked at in slices, between which other requests are served, and never more than a slice
 * is in memory.
 * @throws ProbityError `tooMany` when too many resources would have to be sorted outside the database
 */
export function listResources<
  Row,
  Resource extends { readonly id: string; readonly createdAt: Date },
>(
  session: SqlSession,
  table: ListedTable<Row, Resource>,
  organizationId: string,
  query: ResourceQuery,
): Promise<ResourcePage<Resource>> {
  const { search } = table;
  const name = rawFragment(search.name);
  const columns = rawFragment(table.columns.map((column) => `r.${column}`).join(', '));
  const plan = toPlan(query.filter, search, session, organizationId);
  const own = fragment`from ${name} as r where ${plan.organization} = ${organizationId}`;
  const matching = fragment`${own} and ${plan.candidates} and ${plan.condition}`;
  const { sort, start, limit } = query;
  if (plan.isDirect && plan.isUnique) return single();
  if (sort) return sorted(sort);
  return plan.isDirect ? direct() : walked();

  async function read<Result>(statement: Fragment): Promise<Result[]> {
    const text = toStatementText(statement, session.dialect);
    const options = { keep: plan.keep };
    return (await session.execute<Result>(text, statement.parameters, options)).rows;
  }

  async function readPage(rest: Fragment): Promise<Resource[]> {
    if (limit === 0) return [];
    const rows = await read<Row>(fragment`select ${columns} ${rest}`);
    return rows.map(table.toResource);
  }

  /** One row needs no order, and tells the total. */
  async function single(): Promise<ResourcePage<Resource>> {
    const found = (await read<Row>(fragment`select ${columns} ${matching}`)).map(table.toResource);
    const isBefore = ({ id, createdAt }: Resource) =>
      'after' in start
        ? !isAfter({ id, created_at: createdAt.getTime() }, start)
        : offsetOf(start) > 0;
    const items = limit === 0 ? [] : found.filter((resource) => !isBefore(resource));
    return { items, total: found.length };
  }

  async function direct(): Promise<ResourcePage<Resource>> {
    const items = await readPage(fragment`${matching} ${afterStart()}
      order by r.created_at, r.id limit ${limit} offset ${offsetOf(start)}`);
    return { items, total: totalOf(items) ?? (await count()) };
  }

  function afterStart(): Fragment {
    if (!('after' in start) || start.after === null) return rawFragment('');
    return fragment`and (r.created_at, r.id) > (${start.after.createdAt.getTime()}, ${start.after.id})`;
  }

  /** The total when a page that is not full tells it. */
  function totalOf(items: readonly Resource[]): number | null {
    if ('after' in start && start.after !== null) return null;
    const offset = offsetOf(start);
    const isLast = items.length < limit && (items.length > 0 || offset === 0);
    return isLast ? offset + items.length : null;
  }

  async function walked(): Promise<ResourcePage<Resource>> {
    const ids: string[] = [];
    let total = 0;
    await walk((place) => {
      total += 1;
      const isBefore = 'after' in start ? !isAfter(place, start) : total <= offsetOf(start);
      if (!isBefore && ids.length < limit) ids.push(place.id);
    });
    const items = await readIds(ids, rawFragment('order by r.created_at, r.id'));
    return { items, total };
  }

  async function sorted({ path, order }: NonNullable<ResourceQuery['sort']>) {
    const direction = rawFragment(order === 'ascending' ? 'asc' : 'desc');
    const key = sortExpression(path, search, session.dialect);
    const keys = key ? sortKeys(key, direction) : rawFragment('r.created_at,');
    const page = fragment`order by ${keys} r.id
      limit ${limit} offset ${offsetOf(start)}`;
    if (!plan.rest) {
      const isWithin = session.dialect !== 'sqlite' || !key || key.isOrdered;
      const total = isWithin ? null : await count();
      if (total !== null) requireSortable(total, MAX_SORTED.compared);
      const items = await readPage(fragment`${matching} ${page}`);
      return { items, total: total ?? totalOf(items) ?? (await count()) };
    }
    const ids: string[] = [];
    await walk(({ id }) => {
      ids.push(id);
      requireSortable(ids.length, MAX_SORTED.matched);
    });
    return { items: await readIds(ids, page), total: ids.length };
  }

  async function readIds(ids: readonly string[], rest: Fragment): Promise<Resource[]> {
    if (ids.length === 0) return [];
    const json = JSON.stringify(ids);
    const among =
      session.dialect === 'sqlite'
        ? fragment`in (select value from json_each(${json}))`
        : fragment`= any(array(select jsonb_array_elements_text(cast(${json} as jsonb))))`;
    return readPage(fragment`from ${name} as r
      where ${UNINDEXED_ORGANIZATION} = ${organizationId} and r.id ${among} ${rest}`);
  }

  async function count(): Promise<number> {
    let total = 0;
    if (plan.rest) {
      await walk(() => {
        total += 1;
      });
      return total;
    }
    await slices(async (slice) => {
      const [row] = await read<{ count: unknown }>(
        fragment`select count(*) as count ${matching} ${slice}`,
      );
      total += Number(row?.count);
    });
    return total;
  }

  /** Visits what matches in the order of creation. */
  async function walk(visit: (place: Place) => void): Promise<void> {
    const { rest } = plan;
    await slices(async (slice) => {
      const inOrder = fragment`${matching} ${slice} order by r.created_at, r.id`;
      if (!rest) {
        const places = await read<Place>(fragment`select r.id, r.created_at ${inOrder}`);
        for (const place of places) visit(place);
        return;
      }
      const rows = await read<Row>(fragment`select ${columns} ${inOrder}`);
      for (const { id, createdAt } of await table.select(rest, rows.map(table.toResource))) {
        visit({ id, created_at: createdAt.getTime() });
      }
    });
  }

  /** Runs `work` with a condition for each slice of the candidates, in the order of creation. */
  async function slices(work: (slice: Fragment) => Promise<void>): Promise<void> {
    let from = rawFragment('');
    for (;;) {
      const [last] = await read<Place>(fragment`select r.created_at, r.id
        ${own} and ${plan.candidates} ${from}
        order by r.created_at, r.id limit 1 offset ${plan.sliceRows - 1}`);
      if (!last) return work(from);
      const place = fragment`(${last.created_at}, ${last.id})`;
      await work(fragment`${from} and (r.created_at, r.id) <= ${place}`);
      from = fragment`and (r.created_at, r.id) > ${place}`;
      await nextTurn();
    }
  }
}

/** @throws ProbityError `tooMany` for more resources than are sorted */
function requireSortable(count: number, limit: number): void {
  if (count <= limit) return;
  throw scimError('tooMany', `more than ${limit} resources match; sort by nothing or filter more`);
}

const ALL = rawFragment('true');
const ORGANIZATION = rawFragment('r.organization_id');
const UNINDEXED_ORGANIZATION = rawFragment("(r.organization_id || '')");

function toPlan(
  filter: Filter | null,
  search: SearchTable,
  { dialect }: SqlSession,
  organizationId: string,
): Plan {
  if (!filter) {
    const sliceRows = SLICE_ROWS.counted;
    const all = { candidates: ALL, organization: ORGANIZATION, condition: ALL, rest: null };
    return { ...all, isDirect: true, isUnique: false, sliceRows, keep: true };
  }
  const { condition, isExact } = compileFilter(filter, search, dialect);
  const terms = termsOf(filter);
  const rows = Math.floor((isExact ? SLICE_ROWS.compared : SLICE_ROWS.matched) / terms);
  const found = indexedCandidates(filter, search, organizationId);
  const isFound = found?.isUnique === true && filter.kind === 'compare';
  return {
    candidates: found?.condition ?? ALL,
    organization: found ? UNINDEXED_ORGANIZATION : ORGANIZATION,
    // What one term says of a unique value, its index has found already.
    condition: condition && !isFound ? fragment`(${condition})` : ALL,
    rest: isExact ? null : filter,
    isDirect: isExact && found !== null,
    isUnique: found?.isUnique ?? false,
    sliceRows: Math.max(MIN_SLICE_ROWS, rows),
    keep: terms <= MAX_KEPT_TERMS,
  };
}

/** Statements of few terms recur; others would fill the cache of prepared statements. */
const MAX_KEPT_TERMS = 2;

function termsOf(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, part) => sum + termsOf(part), 0);
    case 'not':
    case 'valuePath':
      return termsOf(filter.filter);
    default:
      return 1;
  }
}

/** What precedes the id: no value is after all values, and ties are in the order of creation. */
function sortKeys({ expression, isRequired }: SortExpression, direction: Fragment): Fragment {
  // SQLite sorts again by a column that is named twice.
  const ties = rawFragment(expression.text === 'r.created_at' ? '' : 'r.created_at,');
  const keys = fragment`${expression} ${direction}, ${ties}`;
  return isRequired ? keys : fragment`(${expression}) is null ${direction}, ${keys}`;
}

function offsetOf(start: ResourceQuery['start']): number {
  // Beyond it, parameters of PostgreSQL and SQLite are no integers.
  return 'offset' in start ? Math.min(start.offset, Number.MAX_SAFE_INTEGER) : 0;
}

function isAfter(
  place: Place,
  { after }: { readonly after: { createdAt: Date; id: string } | null },
) {
  if (!after) return true;
  const difference = place.created_at - after.createdAt.getTime();
  return difference > 0 || (difference === 0 && place.id > after.id);
}
