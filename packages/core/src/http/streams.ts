import { Readable } from 'node:stream';
import type { StreamedChunks } from './reply.ts';

/**
 * A stream of the chunks, pulled one at a time at the reader's pace. Destroying the stream ends the
 * iteration with `return`.
 * @param onError called with the error that the iteration throws
 */
export function toReadable(chunks: StreamedChunks, onError: (error: unknown) => void): Readable {
  const iterator = chunks[Symbol.asyncIterator]();
  // Without a `throw` method, which Readable.from would call when the reader disconnects.
  const watched: AsyncIterator<Uint8Array | string> = {
    next: () =>
      iterator.next().catch((error: unknown) => {
        onError(error);
        throw error;
      }),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return Readable.from({ [Symbol.asyncIterator]: () => watched });
}
