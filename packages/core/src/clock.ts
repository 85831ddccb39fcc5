/** Milliseconds of 24 hours. */
export const DAY_MS = 86_400_000;

/** A timer that has been set and can be taken back. */
export interface Timer {
  /** Takes the timer back; does nothing once it has fired. */
  cancel(): void;
}

/** The only source of time in Probity, so that a test can turn it and two instances can share it. */
export interface Clock {
  /** The wall clock, for everything that is stored or shown. */
  now(): Date;
  /** Milliseconds that never go backwards, for windows and durations; the origin means nothing. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`; a pending timer never keeps the process alive. */
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** The machine's own clocks. */
export const systemClock: Clock = Object.freeze({
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  setTimer(callback: () => void, delayMs: number): Timer {
    const handle = setTimeout(callback, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
});

/** Resolves after `delayMs`, or at once when `signal` is aborted; never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.setTimer(done, delayMs);
    signal?.addEventListener('abort', done, { once: true });
  });
}
