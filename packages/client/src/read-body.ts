import { ResponseError } from './errors.ts';

/** The time limit of a stream: it runs while the next part is waited for, not while one is used. */
export interface ReadTimer {
  readonly startTimer: () => void;
  readonly stopTimer: () => void;
}

/** How a body is read. */
export interface BodyReading {
  readonly maxBytes: number;
  /** Absent: the time limit of the attempt holds for the whole body. */
  readonly timer?: ReadTimer;
  /** Method and address of the request, for messages. */
  readonly route: string;
}

/** The parts of a body as they arrive; the connection is closed when the iteration ends early. */
export async function* chunksOf(
  { body }: Response,
  timer?: ReadTimer,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  // Not `for await`: the streams of Safari cannot be iterated.
  const reader = body.getReader();
  let isDone = false;
  try {
    while (true) {
      timer?.startTimer();
      const { done, value } = await reader.read();
      timer?.stopTimer();
      if (done) {
        isDone = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!isDone) reader.cancel().catch(() => undefined);
  }
}

/** The bytes of a body. @throws ResponseError `response_too_large` */
export async function readBytes(response: Response, reading: BodyReading): Promise<Uint8Array> {
  const { maxBytes, timer, route } = reading;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(response, timer)) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(route, maxBytes);
    chunks.push(chunk);
  }
  return join(chunks, length);
}

/** The text of a body in UTF-8. @throws ResponseError `response_too_large` */
export async function readText(response: Response, reading: BodyReading): Promise<string> {
  return new TextDecoder().decode(await readBytes(response, reading));
}

/** The value of a JSON body. @throws ResponseError `response_too_large` or `invalid_response` */
export async function readJson(response: Response, reading: BodyReading): Promise<unknown> {
  return parseJson(await readText(response, reading), response, reading.route);
}

/** @throws ResponseError `invalid_response`, without the text: it may be anything */
export function parseJson(text: string, { status, headers }: Response, route: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const type = headers.get('content-type') ?? 'no type';
    const message = `The answer of ${route} is not JSON (status ${status}, ${type}). Is baseUrl right?`;
    throw new ResponseError(message, {
      code: 'invalid_response',
      status,
      requestId: headers.get('x-request-id'),
    });
  }
}

/** @throws nothing; creates the error of a body above its limit */
export function tooLarge(route: string, maxBytes: number): ResponseError {
  const message = `The answer of ${route} is larger than ${maxBytes} bytes; see maxResponseBytes.`;
  return new ResponseError(message, { code: 'response_too_large' });
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
