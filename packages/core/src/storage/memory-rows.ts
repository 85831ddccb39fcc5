import type { Page, PageOf } from '../paging.ts';
import type { MemoryTable } from './memory-table.ts';

/** Compares two rows for sorting. */
export type Order<Row> = (left: Row, right: Row) => number;

/** A copy of the row if it belongs to the organization, else null. */
export function owned<Row extends { readonly organizationId: string }>(
  table: MemoryTable<Row>,
  organizationId: string,
  id: string,
): Row | null {
  const row = table.get(id);
  return row?.organizationId === organizationId ? row : null;
}

/** One page of the rows in `order`, and the total number of rows. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, offset }: Page,
  order: Order<Row>,
): PageOf<Row> {
  const items = [...rows].sort(order).slice(offset, offset + limit);
  return { items, total: rows.length };
}

interface Identified {
  readonly id: string;
}

interface Created extends Identified {
  readonly createdAt: Date;
}

/** By ascending id. */
export function byId(left: Identified, right: Identified): number {
  if (left.id === right.id) return 0;
  return left.id < right.id ? -1 : 1;
}

/** Earliest first, ties by ascending id; `order by <time>, id` in SQL. */
export function byTime<Row extends Identified>(timeOf: (row: Row) => Date): Order<Row> {
  return (left, right) => timeOf(left).getTime() - timeOf(right).getTime() || byId(left, right);
}

/** The reverse of an order: latest first, ties by descending id. */
export function reversed<Row>(order: Order<Row>): Order<Row> {
  return (left, right) => order(right, left);
}

/** Oldest first, ties by ascending id; `order by created_at, id` in SQL. */
export const byCreation: Order<Created> = byTime(({ createdAt }) => createdAt);

/** The reverse of {@link byCreation}: newest first, ties by descending id. */
export const newestFirst: Order<Created> = reversed(byCreation);
