/**
 * `count` months after `start`, at the same day and time in UTC; the last day of a month that is
 * too short for it.
 */
export function addMonths(start: Date, count: number): Date {
  const moved = new Date(start);
  moved.setUTCDate(1);
  moved.setUTCMonth(start.getUTCMonth() + count);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0));
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return moved;
}

/**
 * The end of the cycle that begins at `start`: counted from the anchor, so that cycles anchored on
 * the 31st come back to it after a short month.
 */
export function cycleEndAfter(anchor: Date, start: Date): Date {
  const years = start.getUTCFullYear() - anchor.getUTCFullYear();
  return addMonths(anchor, years * 12 + start.getUTCMonth() - anchor.getUTCMonth() + 1);
}
