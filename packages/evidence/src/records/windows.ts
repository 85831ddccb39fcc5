import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from '@probity/core';

/** Places of the chain that one statement looks at, at most; it takes some milliseconds. */
const WINDOW = 20_000;

/** Places of a chain, both inclusive. */
export interface Places {
  readonly from: number;
  readonly to: number;
}

/**
 * The places from the last to the first, in windows of {@link WINDOW} between which other requests are served: SQLite
 * answers within the process, and the length of a chain is its tenant's choice.
 */
export async function* windowsOf({ from, to }: Places): AsyncGenerator<Places> {
  for (let last = to; last >= from; last -= WINDOW) {
    if (last < to) await nextTurn();
    yield { from: Math.max(from, last - WINDOW + 1), to: last };
  }
}

/** The first `limit` matching rows, by ascending sequence, from windows as those of {@link windowsOf}. */
export async function firstOfWindows<Row>(
  { from, to }: Places,
  limit: number,
  read: (window: Places, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let first = from; first <= to && rows.length < limit; first += WINDOW) {
    if (first > from) await nextTurn();
    const window = { from: first, to: Math.min(to, first + WINDOW - 1) };
    rows.push(...(await read(window, limit - rows.length)));
  }
  return rows;
}

/** Queries on the matching rows of a window. */
export interface WindowQueries<Row> {
  count(window: Places): Promise<number>;
  /** Matching rows by descending sequence. */
  read(window: Places, page: Page): Promise<readonly Row[]>;
}

/** One page of the matching rows, by descending sequence, and their total number. */
export async function pageOfWindows<Row>(
  places: Places,
  { limit, offset }: Page,
  { count, read }: WindowQueries<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const rows: Row[] = [];
  let total = 0;
  for await (const window of windowsOf(places)) {
    const matching = await count(window);
    const skipped = Math.max(0, offset - total);
    if (rows.length < limit && skipped < matching) {
      rows.push(...(await read(window, { limit: limit - rows.length, offset: skipped })));
    }
    total += matching;
  }
  return { rows, total };
}
