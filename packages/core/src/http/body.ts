import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProbityError } from '../errors.ts';
import { parseStrictJson } from '../json/parse.ts';

/** How much of a body that is too large is read and thrown away, so that the client reads our answer. */
const DRAIN_LIMIT = 4 * 1_048_576;

/** How long a client may pause while its body is thrown away, before it is answered all the same. */
const DRAIN_SILENCE_MS = 500;

/** Whether the request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and parses a JSON body of at most `limit` bytes, counted as they come.
 * @throws ProbityError `unsupported_media_type` for a body of another type or a compressed one,
 *   `payload_too_large`, `invalid_request`
 */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<unknown> {
  if (!hasBody(request)) {
    throw new ProbityError('invalid_request', 'The request needs a JSON body.');
  }
  checkType(request);
  if (Number(request.headers['content-length']) > limit) throw await tooLarge(request, limit);
  if (awaitsContinue(request)) response.writeContinue();
  return parseStrictJson(await readBytes(request, limit));
}

function checkType({ headers }: IncomingMessage): void {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    const found = type ? `not ${type}` : 'but has no Content-Type';
    throw new ProbityError(
      'unsupported_media_type',
      `The request body must be application/json, ${found}.`,
    );
  }
  const charset = /charset=["']?([^\s"';]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset && charset.toLowerCase() !== 'utf-8') {
    throw new ProbityError('unsupported_media_type', `The charset must be utf-8, not ${charset}.`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new ProbityError(
      'unsupported_media_type',
      `The request body must not be compressed, but has Content-Encoding ${encoding}.`,
    );
  }
}

function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= limit) return;
      stop();
      void tooLarge(request, limit).then(reject);
    };
    const onEnd = () => {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const onBroken = () => {
      stop();
      reject(new ProbityError('invalid_request', 'The request ended before its body did.'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** Drains some of what still comes, then gives the error. */
function tooLarge(request: IncomingMessage, limit: number): Promise<ProbityError> {
  const error = new ProbityError(
    'payload_too_large',
    `The request body is larger than ${limit} bytes.`,
    { headers: { Connection: 'close' } },
  );
  if (awaitsContinue(request)) return Promise.resolve(error);
  return new Promise((resolve) => {
    let drained = 0;
    const done = () => {
      clearTimeout(silence);
      request.off('data', onData).off('end', done).off('close', done);
      request.pause();
      resolve(error);
    };
    const silence = setTimeout(done, DRAIN_SILENCE_MS);
    const onData = (chunk: Buffer) => {
      silence.refresh();
      drained += chunk.length;
      if (drained > DRAIN_LIMIT) done();
    };
    request.on('data', onData).on('end', done).on('close', done).resume();
  });
}

/** A client that sends its body only when told to (RFC 9110, section 10.1.1). */
function awaitsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}
