import { ScanCanceledError } from '../errors.ts';

/** The texts of a stream, read one after the other. */
export interface StreamSource {
  /**
   * Reads texts until `take` returns something other than undefined for one. Texts of a few characters are many: each
   * costs one wait, that for the source.
   *
   * @returns what `take` returned; undefined at the end of the source
   * @throws ScanCanceledError as soon as the signal aborts or `stop` is called, although the source may be silent
   */
  readUntil<Taken>(take: (text: string) => Taken | undefined): Promise<Taken | undefined>;
  /** Reads no more. A text that is waited for is given up, and the source closed. */
  stop(): void;
  /** Closes the source unless it has ended, failed or been cancelled. To be called once nothing is read any more. */
  close(): Promise<void>;
}

/** The source must give texts; what else it gives is an error of `take`. */
export function openSource(
  iterator: AsyncIterator<string>,
  signal: AbortSignal | undefined,
): StreamSource {
  let isOpen = true;
  let isStopped = false;
  let stopReading = () => {};
  return {
    // Callbacks in place of `await`, which makes two functions and a context for each text.
    readUntil: (take) =>
      new Promise((resolve, reject) => {
        let isOver = false;
        // Kept, since the getter of a signal takes as long as a part of one character does otherwise.
        let isAborted = isStopped || signal?.aborted === true;
        const end = () => {
          isOver = true;
          signal?.removeEventListener('abort', abort);
        };
        const fail = (error: unknown) => {
          end();
          reject(error);
        };
        const cancel = () => {
          // Not waited for: a silent source closes when it gets there.
          void closeIterator(iterator);
          fail(new ScanCanceledError([], signal?.reason));
        };
        const abort = () => {
          isAborted = true;
          // What takes a text sees the signal itself.
          if (!isOpen && !isOver) cancel();
        };
        stopReading = abort;
        const read = () => {
          // A source that fails meanwhile, or is no longer waited for, is not to be closed.
          isOpen = false;
          if (isAborted) cancel();
          else Promise.resolve(iterator.next()).then(receive, fail);
        };
        const receive = (result: IteratorResult<string>) => {
          if (isOver) return;
          try {
            const { done, value } = result;
            isOpen = !done;
            const taken = done ? undefined : take(value);
            if (!done && taken === undefined) return read();
            end();
            resolve(taken);
          } catch (error) {
            fail(error);
          }
        };
        signal?.addEventListener('abort', abort);
        try {
          read();
        } catch (error) {
          fail(error);
        }
      }),
    stop() {
      isStopped = true;
      stopReading();
    },
    async close() {
      if (isOpen) await closeIterator(iterator);
    },
  };
}

/** Its errors come too late to matter. */
async function closeIterator(iterator: AsyncIterator<string>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}
