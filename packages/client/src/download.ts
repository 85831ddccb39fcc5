import type { OpenAnswer } from './attempt.ts';
import { chunksOf, parseJson, readBytes, tooLarge } from './read-body.ts';

/**
 * An answer of bytes or of lines, read once by one of its methods. `cancel` it to leave it unread.
 * What fails while it is read is thrown by the method; it is not requested again.
 */
export interface Download extends AsyncIterable<Uint8Array> {
  /** The media type with its parameters. */
  readonly contentType: string;
  readonly headers: Headers;
  /** Everything, up to `maxResponseBytes` of the client. */
  bytes(): Promise<Uint8Array>;
  /** Everything as text in UTF-8, up to `maxResponseBytes` of the client. */
  text(): Promise<string>;
  /** The lines without their ends, as they arrive. */
  lines(): AsyncIterable<string>;
  /** The values of JSON Lines, as they arrive; empty lines are left out. */
  jsonLines<Value = unknown>(): AsyncIterable<Value>;
  /** Closes the connection. */
  cancel(): void;
}

/** Creates the download of an answer. */
export function openDownload(answer: OpenAnswer, maxBytes: number): Download {
  const { response, route, close, toError } = answer;
  answer.stopTimer();

  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* chunksOf(response, answer);
      close();
    } catch (thrown) {
      const error = toError(thrown);
      close(error);
      throw error;
    } finally {
      close();
    }
  }

  async function bytes(): Promise<Uint8Array> {
    try {
      const whole = await readBytes(response, { maxBytes, timer: answer, route });
      close();
      return whole;
    } catch (thrown) {
      const error = toError(thrown);
      close(error);
      throw error;
    }
  }

  const lines = () => linesOf(chunks(), () => tooLarge(route, maxBytes), maxBytes);

  return Object.freeze({
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    headers: response.headers,
    [Symbol.asyncIterator]: chunks,
    bytes,
    text: async () => new TextDecoder().decode(await bytes()),
    lines,
    async *jsonLines<Value>() {
      for await (const line of lines()) {
        if (line.trim() !== '') yield parseJson(line, response, route) as Value;
      }
    },
    cancel: () => close(new DOMException('The download was canceled.', 'AbortError')),
  });
}

/**
 * The lines of UTF-8, without their ends (LF or CRLF).
 * @param tooLong creates the error of a line of more than `maxLength` characters
 */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  tooLong: () => Error,
  maxLength: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    rest.push(first);
    length += first.length;
    for (const next of others) {
      yield rest.join('').replace(/\r$/, '');
      rest = [next];
      length = next.length;
    }
    if (length > maxLength) throw tooLong();
  }
  rest.push(decoder.decode());
  const last = rest.join('');
  if (last !== '') yield last.replace(/\r$/, '');
}
