import type { OpenAnswer } from './attempt.ts';
import { chunksOf, parseJson, tooLarge } from './read-body.ts';

/** An event of a stream of `text/event-stream`. */
export interface ServerSentEvent<Data> {
  /** The type; `message` where the server names none. */
  readonly event: string;
  /** The last id that the server sent; empty without one. */
  readonly id: string;
  /** The data, parsed from JSON. */
  readonly data: Data;
}

/**
 * A stream of events. The request is sent when the iteration begins, once for each iteration; leaving
 * the loop closes the connection. A stream that breaks off throws and is not requested again.
 */
export type EventStream<Data> = AsyncIterable<ServerSentEvent<Data>>;

/**
 * Creates the stream over a function that sends the request.
 * @param maxBytes the largest event in characters
 */
export function createEventStream<Data>(
  request: (open: (answer: OpenAnswer) => Promise<OpenAnswer>) => Promise<OpenAnswer>,
  maxBytes: number,
): EventStream<Data> {
  return {
    async *[Symbol.asyncIterator]() {
      const answer = await request(async (opened) => opened);
      const { response, route, close, toError } = answer;
      const parser = createEventParser();
      try {
        for await (const chunk of chunksOf(response, answer)) {
          for (const event of parser.push(chunk)) {
            yield { ...event, data: parseJson(event.data, response, route) as Data };
          }
          if (parser.pending() > maxBytes) throw tooLarge(route, maxBytes);
        }
      } catch (thrown) {
        throw toError(thrown);
      } finally {
        close(new DOMException('The stream was left.', 'AbortError'));
      }
    },
  };
}

/** A parser of `text/event-stream` (WHATWG HTML, section "Server-sent events"). */
export interface EventParser {
  /** The events that the next bytes complete. */
  push(chunk: Uint8Array): ServerSentEvent<string>[];
  /** Characters of the event that is not complete. */
  pending(): number;
}

/** Creates a parser for one stream. */
export function createEventParser(): EventParser {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let partsLength = 0;
  let event = '';
  let id = '';
  let data: string[] = [];
  let dataLength = 0;

  /** @returns the event that an empty line completes */
  function take(line: string): ServerSentEvent<string> | null {
    if (line === '') {
      const complete = { event: event || 'message', id, data: data.join('\n') };
      const hasData = data.length > 0;
      event = '';
      data = [];
      dataLength = 0;
      return hasData ? complete : null;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') {
      data.push(value);
      dataLength += value.length;
    } else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    return null;
  }

  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      const hasEnd = /[\r\n]/.test(text) || parts.at(-1)?.endsWith('\r');
      parts.push(text);
      partsLength += text.length;
      if (!hasEnd) return [];
      // A CR at the end may be the first half of CRLF.
      const lines = parts.join('').split(/\r\n|\n|\r(?!$)/);
      const rest = lines.pop() ?? '';
      parts = [rest];
      partsLength = rest.length;
      return lines.map(take).filter((each) => each !== null);
    },
    pending: () => partsLength + dataLength,
  };
}
