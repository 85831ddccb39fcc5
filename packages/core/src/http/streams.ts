import { Readable } from 'node:stream';
import type { StreamedChunks } from './reply.ts';

/**
 * A stream of the chunks, pulled one at a time at the reader's pace. Destroying the stream ends the
 * iteration with `return`.
 * @param onError called with the error of an iteration that throws, also while it is ended, or that
 * yields anything but bytes and text
 */
export function toReadable(chunks: StreamedChunks, onError: (error: unknown) => void): Readable {
  const iterator = chunks[Symbol.asyncIterator]();
  // Without a `throw` method, which Readable.from would call when the reader disconnects.
  const watched: AsyncIterator<Uint8Array | string> = {
    async next() {
      try {
        const result = await iterator.next();
        if (!result.done) checkChunk(result.value);
        return result;
      } catch (error) {
        onError(error);
        throw error;
      }
    },
    // Does not throw: a stream that is discarded has no listener for its errors.
    async return() {
      try {
        await iterator.return?.();
      } catch (error) {
        onError(error);
      }
      return { done: true, value: undefined };
    },
  };
  return Readable.from({ [Symbol.asyncIterator]: () => watched });
}

/** Types cannot hold back a source that is not written in TypeScript. */
function checkChunk(chunk: unknown): void {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return;
  const type = chunk === null ? 'null' : typeof chunk;
  throw new TypeError(`A streamed response consists of bytes and text, not of ${type}.`);
}
