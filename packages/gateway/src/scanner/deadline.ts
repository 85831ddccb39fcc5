import type { Clock } from '@probity/core';
import { ProbityError } from '@probity/core';
import { ScanCanceledError } from '@probity/pipeline';

/** How long a piece of work may take. */
export interface DeadlineOptions {
  readonly clock: Clock;
  readonly limitMs: number;
}

/**
 * Runs `work` until the time is over or the caller has gone.
 *
 * @throws ProbityError `unavailable` with status 504 when the time is over
 */
export async function withDeadline<Result>(
  options: DeadlineOptions,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadlines = createDeadlines(options, outer);
  try {
    return await deadlines.run(work);
  } finally {
    deadlines.end();
  }
}

/** Runs pieces of work that share one signal: when one of them is late, none of the others may go on. */
export interface Deadlines {
  /** Gives a piece of work its time, see {@link withDeadline}; one after the other. */
  run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Listens to the caller no more; needless for a caller's signal that ends with the work. */
  end(): void;
}

/** Makes deadlines for the work of one caller: a signal costs more than some pieces of work. */
export function createDeadlines(
  { clock, limitMs }: DeadlineOptions,
  outer: AbortSignal | undefined,
): Deadlines {
  const stop = new AbortController();
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    stop.abort();
  };
  const cancel = () => stop.abort(outer?.reason);
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  return {
    async run(work) {
      const timer = clock.setTimer(giveUp, limitMs);
      try {
        return await work(stop.signal);
      } catch (error) {
        if (!isLate || !(error instanceof ScanCanceledError)) throw error;
        const message = `The scan took longer than ${limitMs} ms.`;
        throw new ProbityError('unavailable', message, { status: 504 });
      } finally {
        timer.cancel();
      }
    },
    end: () => outer?.removeEventListener('abort', cancel),
  };
}
