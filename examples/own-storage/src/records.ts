import type { Alert, AlertAction, Scan } from '@probity/governance';

/** What is stored. */
export interface Records {
  readonly scans: ReadonlyMap<string, Scan>;
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly actions: ReadonlyMap<string, AlertAction>;
}

/** What has a time and an id. */
type Created = Pick<Alert, 'id' | 'createdAt'>;

/** Latest first, ties by descending id. */
export function newestFirst(left: Created, right: Created): number {
  return oldestFirst(right, left);
}

/** Earliest first, ties by ascending id. */
export function oldestFirst(left: Created, right: Created): number {
  const order = left.createdAt.getTime() - right.createdAt.getTime();
  if (order !== 0 || left.id === right.id) return order;
  return left.id < right.id ? -1 : 1;
}

/** The record if it is the organization's. */
export function own<T extends { organizationId: string }>(
  record: T | undefined,
  organizationId: string,
): T | null {
  return record?.organizationId === organizationId ? record : null;
}

/** One page of records, and how many there are. */
export function pageOf<T>(
  records: readonly T[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  order: (left: T, right: T) => number,
) {
  const items = [...records].sort(order).slice(offset, offset + limit);
  return { items, total: records.length };
}
