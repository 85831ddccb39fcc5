import type { Clock } from '@probity/core';
import { ProbityError } from '@probity/core';

/** How long nothing may come, how long a response may take in all, and after which silence to say so. */
const IDLE_MS = 300_000;
const TOTAL_MS = 3_600_000;
const SILENCE_MS = 15_000;

/** The next part of a response, or what came in its place. */
type NextPart =
  | { readonly kind: 'part'; readonly text: string }
  | { readonly kind: 'end' | 'silence' | 'aborted' };

/** The parts of a response, whose source may be slow or hang. */
export interface Parts {
  /**
   * @throws what the source throws; ProbityError `invalid_request` of status 408 when nothing comes for 5 minutes, or
   *   after an hour
   */
  next(): Promise<NextPart>;
  /** Ends the source, without waiting for it. */
  close(): void;
}

/** Reads a source until it ends or the signal aborts. */
export function readParts(
  source: AsyncIterable<string>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Parts {
  const iterator = source[Symbol.asyncIterator]();
  const startedMs = clock.monotonicMs();
  let heardMs = startedMs;
  let pending: Promise<NextPart> | undefined;

  async function read(): Promise<NextPart> {
    const { done, value } = await iterator.next();
    return done ? { kind: 'end' } : { kind: 'part', text: value };
  }

  function requireTime(): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - heardMs >= IDLE_MS) throw late('No part of the response came for 5 minutes.');
    if (nowMs - startedMs >= TOTAL_MS) throw late('The response took more than an hour.');
  }

  return {
    async next() {
      if (signal?.aborted) return { kind: 'aborted' };
      requireTime();
      pending ??= read();
      const first = await firstOf(pending, clock, signal);
      if (first.kind === 'silence' || first.kind === 'aborted') return first;
      pending = undefined;
      heardMs = clock.monotonicMs();
      return first;
    },
    close() {
      // What it has begun to read may never come.
      pending?.catch(() => undefined);
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
  };
}

function firstOf(
  pending: Promise<NextPart>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<NextPart> {
  return new Promise((resolve, reject) => {
    const onAbort = () => settle(() => resolve({ kind: 'aborted' }));
    const timer = clock.setTimer(() => settle(() => resolve({ kind: 'silence' })), SILENCE_MS);
    const settle = (then: () => void) => {
      timer.cancel();
      signal?.removeEventListener('abort', onAbort);
      then();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    pending.then(
      (part) => settle(() => resolve(part)),
      (error) => settle(() => reject(error)),
    );
  });
}

function late(message: string): ProbityError {
  return new ProbityError('invalid_request', message, { status: 408 });
}
