import type { Clock } from '@probity/core';
import { ProbityError } from '@probity/core';
import { ScanCanceledError } from '@probity/pipeline';

/**
 * Runs `work` until the time is over or the caller has gone.
 *
 * @throws ProbityError `unavailable` with status 504 when the time is over
 */
export async function withDeadline<Result>(
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let isLate = false;
  const timer = clock.setTimer(() => {
    isLate = true;
    stop.abort();
  }, limitMs);
  const cancel = () => stop.abort(outer?.reason);
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!isLate || !(error instanceof ScanCanceledError)) throw error;
    const message = `The scan took longer than ${limitMs} ms.`;
    throw new ProbityError('unavailable', message, { status: 504 });
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', cancel);
  }
}
