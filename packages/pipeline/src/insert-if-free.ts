import type { TextRange } from './types.ts';

/** Adds a range to others that are in order and free of overlaps, unless it overlaps one of them. */
export function insertIfFree<Range extends TextRange>(ranges: Range[], range: Range): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as Range).start < range.start) low = middle + 1;
    else high = middle;
  }
  const previous = ranges[low - 1];
  const next = ranges[low];
  if (previous !== undefined && previous.end > range.start) return false;
  if (next !== undefined && next.start < range.end) return false;
  ranges.splice(low, 0, range);
  return true;
}
