/** Time and chance, which tests replace. */
export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  /** A number from 0 up to but not including 1. */
  random(): number;
  /** Resolves after the milliseconds; rejects with the signal's reason when that is aborted first. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls back once after the milliseconds unless the returned function is called first. */
  deadline(ms: number, onPassed: () => void): () => void;
}

/** The system's clock, timers and random numbers. */
export const systemTiming: Timing = Object.freeze({
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
  deadline(ms: number, onPassed: () => void) {
    const timer = setTimeout(onPassed, ms);
    return () => clearTimeout(timer);
  },
});
