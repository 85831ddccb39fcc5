import { Readable } from 'node:stream';
import type { StreamedChunks } from './reply.ts';

/**
 * A stream of the chunks, which are asked for one at a time as the reader takes them. Destroying the
 * stream ends the iteration with `return`.
 * @param onError called with what the iteration throws
 */
export function toReadable(chunks: StreamedChunks, onError: (error: unknown) => void): Readable {
  const iterator = chunks[Symbol.asyncIterator]();
  // Without a method `throw`, which Readable.from would call because the reader has gone.
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
