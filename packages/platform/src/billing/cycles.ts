/**
 * Adds `count` calendar months to `start`, at the same day and time in UTC, clamped to the last day
 * of shorter months.
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
 * Computes the end of the cycle that begins at `start`. It is counted from the anchor, so that
 * cycles anchored on the 31st return to it after a short month.
 */
export function cycleEndAfter(anchor: Date, start: Date): Date {
  const years = start.getUTCFullYear() - anchor.getUTCFullYear();
  return addMonths(anchor, years * 12 + start.getUTCMonth() - anchor.getUTCMonth() + 1);
}
