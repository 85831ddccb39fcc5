/**
 * How many jobs of a group with a limit may begin. A claim counts as the beginning: each counts for a
 * second and for {@link LATENESS_MS}, so that the work itself begins at most that often in any second although
 * some of it begins later after its claim than other.
 */

/** Milliseconds by which the work after one claim may begin later than after another. */
const LATENESS_MS = 100;

/** Milliseconds for which a claimed job counts. */
export const STARTS_WINDOW_MS = 1_000 + LATENESS_MS;

/** Jobs of a group claimed at one time, in milliseconds since 1970. */
export type Starts = ReadonlyArray<readonly [atMs: number, count: number]>;

/** The limit of a group, with the claims of the last second. */
export interface StartLimit {
  /** The most jobs that begin within any second. */
  readonly startsPerSecond: number;
  readonly starts: Starts;
}

/** Number of jobs that may be claimed now. */
export function startsLeft({ startsPerSecond, starts }: StartLimit, nowMs: number): number {
  return Math.max(0, startsPerSecond - countOf(recent(starts, nowMs)));
}

/**
 * The claims after `count` more, with the time before which no other job may be claimed; 0 when one may be
 * at once.
 */
export function afterStarts(
  { startsPerSecond, starts }: StartLimit,
  nowMs: number,
  count: number,
): { readonly starts: Starts; readonly opensAtMs: number } {
  const after: Starts = [...recent(starts, nowMs), [nowMs, count]];
  const isFull = countOf(after) >= startsPerSecond;
  const earliestMs = Math.min(...after.map(([atMs]) => atMs));
  return { starts: after, opensAtMs: isFull ? earliestMs + STARTS_WINDOW_MS : 0 };
}

/** Those that count; one far in the future is of a clock that was set back since. */
function recent(starts: Starts, nowMs: number): Starts {
  return starts.filter(([atMs]) => Math.abs(nowMs - atMs) < STARTS_WINDOW_MS);
}

function countOf(starts: Starts): number {
  return starts.reduce((sum, [, count]) => sum + count, 0);
}
