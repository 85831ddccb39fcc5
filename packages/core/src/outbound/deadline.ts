import type { Clock } from '../clock.ts';
import { OutboundFailure } from './failure.ts';

/** One deadline for a whole request, from the first DNS query to the last byte of the body. */
export interface Deadline {
  /** Aborted with an `OutboundFailure` at the deadline or when the caller aborts. */
  readonly signal: AbortSignal;
  /** Sets the phase that the failure at the deadline names; initially a complete response. */
  awaits(what: string): void;
  /** Removes the timer and the caller's listener. */
  clear(): void;
}

/**
 * Starts a deadline `timeoutMs` from now that also ends when the caller's `outer` signal aborts.
 */
export function startDeadline(clock: Clock, timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let awaited = 'complete response';
  const abort = () => controller.abort(new OutboundFailure('aborted', 'The request was aborted'));
  const timer = clock.setTimer(() => {
    controller.abort(new OutboundFailure('timeout', `No ${awaited} within ${timeoutMs} ms`));
  }, timeoutMs);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    awaits(what) {
      awaited = what;
    },
    clear() {
      timer.cancel();
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** Settles like `work`, or rejects with the signal's reason as soon as the signal is aborted. */
export function within<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work(signal)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
