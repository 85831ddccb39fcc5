/**
 * Makes the function that gives, when a scan begins, since when scans of this turn of the event loop
 * compute: many scans that begin at once share what one may take before the loop turns.
 */
export function createTurnClock(now: () => number): () => number {
  let startedAt: number | undefined;
  const forget = () => {
    startedAt = undefined;
  };
  return () => {
    if (startedAt !== undefined) return startedAt;
    startedAt = now();
    setImmediate(forget);
    return startedAt;
  };
}

/**
 * Makes the function by which the scans of a pipeline let the event loop turn. Waiting scans go on in
 * the order in which they came, one per turn of the loop: with many scans at once, requests and timers
 * still get their turn between any two pieces of work, and no scan starves another.
 */
export function createTurnQueue(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  function next(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}
