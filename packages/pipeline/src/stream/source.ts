import { ScanCanceledError } from '../errors.ts';

/** The texts of a stream, read one after the other. */
export interface StreamSource {
  /**
   * Reads texts until `take` returns something other than undefined for one. Texts of a few characters are many:
   * each costs one wait, that for the source.
   *
   * @returns what `take` returned; undefined at the end of the source
   * @throws ScanCanceledError as soon as the signal aborts, although the source may be silent
   */
  readUntil<Taken>(take: (text: string) => Taken | undefined): Promise<Taken | undefined>;
  /** Closes the source unless it has ended, failed or been cancelled. To be called once nothing is read any more. */
  close(): Promise<void>;
}

/** The source must give texts; what else it gives is an error of `take`. */
export function openSource(
  iterator: AsyncIterator<string>,
  signal: AbortSignal | undefined,
): StreamSource {
  let isOpen = true;
  const next = nextOf(iterator, signal);
  return {
    async readUntil(take) {
      for (;;) {
        // A source that fails meanwhile, or is no longer waited for, is not to be closed.
        isOpen = false;
        const { done, value } = await next.call();
        if (done) return undefined;
        isOpen = true;
        const taken = take(value);
        if (taken !== undefined) return taken;
      }
    },
    async close() {
      next.stop();
      if (isOpen) await closeIterator(iterator);
    },
  };
}

/** Calls `next` of an iterator and waits no longer than until the signal aborts. */
function nextOf(iterator: AsyncIterator<string>, signal: AbortSignal | undefined) {
  if (signal === undefined) return { call: () => iterator.next(), stop() {} };
  let cancel: (error: ScanCanceledError) => void = () => {};
  const abort = () => cancel(new ScanCanceledError([], signal.reason));
  signal.addEventListener('abort', abort, { once: true });
  const call = () =>
    new Promise<IteratorResult<string>>((resolve, reject) => {
      cancel = (error) => {
        // Not waited for: a silent source closes when it gets there.
        void closeIterator(iterator);
        reject(error);
      };
      if (signal.aborted) abort();
      else Promise.resolve(iterator.next()).then(resolve, reject);
    }).finally(() => {
      cancel = () => {};
    });
  return { call, stop: () => signal.removeEventListener('abort', abort) };
}

/** Its errors come too late to matter. */
async function closeIterator(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}
