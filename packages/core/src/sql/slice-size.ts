/** Rows of a first slice. */
export const FIRST_ROWS = 200;
const FEWEST_ROWS = 10;
const MOST_ROWS = 20_000;

/**
 * How many rows the next transaction of a long piece of work takes, so that it lasts about `aimMs`.
 *
 * @param limit the limit of the last transaction, which took `elapsedMs`
 */
export function nextSliceSize(limit: number, elapsedMs: number, aimMs: number): number {
  const ratio = aimMs / Math.max(elapsedMs, 1);
  const next = Math.round(limit * Math.min(2, Math.max(0.25, ratio)));
  return Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, next));
}
