/** The time seen by the code under test; the same shape as the clock of @probity/core. */
export interface TestClock {
  now(): Date;
  /** Milliseconds since the clock was created. */
  monotonicMs(): number;
  setTimer(callback: () => void, delayMs: number): { cancel(): void };
  /**
   * Advances time by `ms`. Due timers fire in the order of their due times, those of the same
   * time in the order in which they were set, each at its own time; promises and immediates
   * settle before the first, between timers and after the last.
   *
   * @throws RangeError when `ms` is negative or not finite; whatever a timer's callback throws.
   */
  advance(ms: number): Promise<void>;
  /** Timers that are set and have neither fired nor been canceled. */
  readonly pendingTimers: number;
}

interface Timer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** Turns of the event loop for resumed code, so that chains of awaits complete. */
const settlingTurns = 4;

/** Creates a clock that stays at `startMs` (milliseconds since 1970) until it is advanced. */
export function createTestClock(startMs = Date.parse('2026-01-01T00:00:00Z')): TestClock {
  const timers = new Set<Timer>();
  let elapsedMs = 0;

  const fireNext = (untilMs: number): boolean => {
    const timer = earliest(timers, untilMs);
    if (timer === undefined) return false;
    timers.delete(timer);
    elapsedMs = Math.max(elapsedMs, timer.dueMs);
    timer.callback();
    return true;
  };
  return {
    now: () => new Date(startMs + elapsedMs),
    monotonicMs: () => elapsedMs,
    setTimer(callback, delayMs) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), callback };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms) {
      if (!(ms >= 0 && Number.isFinite(ms))) throw new RangeError(`Cannot advance by ${ms} ms`);
      const untilMs = elapsedMs + ms;
      do await settle();
      while (fireNext(untilMs));
      elapsedMs = Math.max(elapsedMs, untilMs);
      await settle();
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

/** A set keeps the order of insertion, so the first of equal due times is the one set first. */
function earliest(timers: ReadonlySet<Timer>, untilMs: number): Timer | undefined {
  let found: Timer | undefined;
  for (const timer of timers) {
    if (timer.dueMs <= untilMs && (found === undefined || timer.dueMs < found.dueMs)) found = timer;
  }
  return found;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < settlingTurns; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
