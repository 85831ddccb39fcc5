import type { CallContext, Clock, Timer } from '@probity/core';
import { ProbityError } from '@probity/core';
import { isCallerGone } from '@probity/core/internal';
import type { ScanSignal } from '@probity/pipeline';
import { ScanCanceledError } from '@probity/pipeline';

interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
}

/**
 * Runs `work` until the time is over or the caller has gone.
 *
 * @throws ProbityError `unavailable` with status 504 when the time is over
 */
export async function withDeadline<Result>(
  limit: TimeLimit,
  context: Pick<CallContext, 'signal'>,
  work: (signal: ScanSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(limit, context);
  try {
    return await work(deadline);
  } catch (error) {
    if (!deadline.isLate || !(error instanceof ScanCanceledError)) throw error;
    const message = `The scan took longer than ${limit.limitMs} ms.`;
    throw new ProbityError('unavailable', message, { status: 504 });
  } finally {
    deadline.release();
  }
}

/**
 * The signal of one scan. Its timer and its AbortController are made when a stage waits, and listens; most scans end before,
 * and look at the clock and at the connection instead.
 */
class Deadline implements ScanSignal {
  isLate = false;
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  readonly #context: Pick<CallContext, 'signal'>;
  #stop: AbortController | undefined;
  #timer: Timer | undefined;

  constructor({ clock, limitMs }: TimeLimit, context: Pick<CallContext, 'signal'>) {
    this.#clock = clock;
    this.#endsAtMs = clock.monotonicMs() + limitMs;
    this.#context = context;
  }

  // The clock, too, when a timer is set: others that are due may be called before it.
  get aborted(): boolean {
    if (this.#stop?.signal.aborted) return true;
    if (this.#clock.monotonicMs() >= this.#endsAtMs) this.#expire();
    else if (isCallerGone(this.#context)) this.#cancel();
    return this.#stop?.signal.aborted ?? false;
  }

  get reason(): unknown {
    return this.#stop?.signal.reason;
  }

  addEventListener(
    type: 'abort',
    listener: () => void,
    options?: { readonly once?: boolean },
  ): void {
    this.#signal().addEventListener(type, listener, options);
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#stop?.signal.removeEventListener(type, listener);
  }

  release(): void {
    this.#timer?.cancel();
    if (this.#stop) this.#context.signal?.removeEventListener('abort', this.#cancel);
  }

  /** A signal that is aborted at its time: not before a listener is added. */
  #signal(): AbortSignal {
    if (this.#stop) return this.#stop.signal;
    this.#stop = new AbortController();
    const outer = this.#context.signal;
    if (outer?.aborted) queueMicrotask(this.#cancel);
    else {
      outer?.addEventListener('abort', this.#cancel, { once: true });
      const leftMs = Math.max(0, this.#endsAtMs - this.#clock.monotonicMs());
      this.#timer = this.#clock.setTimer(this.#expire, leftMs);
    }
    return this.#stop.signal;
  }

  readonly #cancel = (): void => {
    this.#stop ??= new AbortController();
    this.#stop.abort(this.#context.signal?.reason);
  };

  readonly #expire = (): void => {
    this.#stop ??= new AbortController();
    this.isLate ||= !this.#stop.signal.aborted;
    this.#stop.abort();
  };
}
