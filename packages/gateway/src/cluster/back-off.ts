/** How long is waited before a process is started again. */
export interface BackOff {
  /** A process has ended after that time, in milliseconds; returns the delay until the next one. */
  delayAfter(livedMs: number): number;
}

/** A process that lived this long did work. */
const GOOD_MS = 10_000;
const FIRST_MS = 100;
const MOST_MS = 10_000;
/** Processes that may end early before the delay grows: that one is killed is no reason to wait. */
const AT_ONCE = 2;

/** Creates the delays: none at first, then 100 ms, doubled up to 10 s while processes end early. */
export function createBackOff(): BackOff {
  let early = 0;
  return {
    delayAfter(livedMs) {
      early = livedMs >= GOOD_MS ? 0 : early + 1;
      if (early <= AT_ONCE) return 0;
      return Math.min(MOST_MS, FIRST_MS * 2 ** (early - AT_ONCE - 1));
    },
  };
}
