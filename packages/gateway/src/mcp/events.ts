import type { EventSourceMessage } from 'eventsource-parser';
import { createParser } from 'eventsource-parser';

/** A part of a stream of server-sent events. */
export type StreamPart =
  | { readonly kind: 'message'; readonly id: string | undefined; readonly data: string }
  /** Keeps the connection, and says nothing. */
  | { readonly kind: 'comment' }
  | { readonly kind: 'retry'; readonly ms: number };

/**
 * Reads the parts of a stream. Events of other names than `message` are not of the protocol and left out.
 *
 * @param limit the most characters of one event
 * @throws Error for an event that is larger, whatever stands between its lines
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<StreamPart> {
  const parts: StreamPart[] = [];
  const parser = createParser({
    onEvent({ event = 'message', id, data }: EventSourceMessage) {
      if (event === 'message') parts.push({ kind: 'message', id, data });
    },
    onComment: () => void parts.push({ kind: 'comment' }),
    onRetry: (ms) => void parts.push({ kind: 'retry', ms }),
    onError({ type }) {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
    maxBufferSize: limit,
  });
  const decoder = new TextDecoder();
  let isTooLarge = false;
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parts.splice(0);
    if (isTooLarge) throw new Error(`an event is larger than ${limit} characters`);
  }
}

/** An event as it is sent; without data it only has an id, from which a stream may go on. */
export function writeMessage(id: string | undefined, data: string): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: message\ndata: ${data}\n\n`;
}
