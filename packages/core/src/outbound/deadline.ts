import type { Clock } from '../clock.ts';
import { OutboundFailure } from './failure.ts';

/** One limit on a whole request, from the first DNS question to the last byte of the body. */
interface Deadline {
  /** Aborted with an `OutboundFailure` when time is up or the caller has lost interest. */
  readonly signal: AbortSignal;
  /** Takes the timer and the caller's listener back. */
  clear(): void;
}

/** Starts a deadline `timeoutMs` from now that also ends with the caller's `outer` signal. */
export function startDeadline(clock: Clock, timeoutMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort(new OutboundFailure('aborted', 'The request was aborted'));
  const timer = clock.setTimer(() => {
    controller.abort(new OutboundFailure('timeout', `No complete answer within ${timeoutMs} ms`));
  }, timeoutMs);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      timer.cancel();
      outer?.removeEventListener('abort', abort);
    },
  };
}

/** `work`, or a rejection with the signal's reason as soon as the signal is aborted. */
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
