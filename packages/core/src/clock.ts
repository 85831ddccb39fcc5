/** Milliseconds in 24 hours. */
export const DAY_MS = 86_400_000;

/** A timer that has been set and can be canceled. */
export interface Timer {
  /** Cancels the timer; does nothing once it has fired. */
  cancel(): void;
}

/** The only source of time in Probity, so that tests can control it and instances can share it. */
export interface Clock {
  /** Wall-clock time, for everything that is stored or shown. */
  now(): Date;
  /** Monotonic time in milliseconds, for windows and durations; the origin is arbitrary. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`; a pending timer never keeps the process alive. */
  setTimer(callback: () => void, delayMs: number): Timer;
}

/** The system clocks. */
export const systemClock: Clock = Object.freeze({
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  setTimer(callback: () => void, delayMs: number): Timer {
    const handle = setTimeout(callback, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
});

/** Resolves after `delayMs`, or immediately when `signal` is aborted; never rejects. */
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
