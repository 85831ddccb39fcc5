import { pipeline, Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Clock } from '../clock.ts';

/** What a response consists of besides its head; a stream is sent at the client's pace. */
export type ResponseBody = string | Buffer | Readable | undefined;

/** A response that has not been written; without a body there is no content. */
export interface PendingResponse {
  readonly ctx: Context;
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: ResponseBody;
}

/** Answers that are written soon, past Koa. */
export interface AnswerQueue {
  add(response: PendingResponse): void;
}

/** An answer does not wait for others once the first one has waited for so long. */
const LONGEST_WAIT_MS = 1;

/**
 * Writes the answers that are ready in one turn of the event loop one after the other at its end. A
 * system call that sends something wakes whoever waits for it at the other end, and is the dearest
 * part of a small request; between two that follow at once, nobody has fallen asleep again.
 */
export function createAnswerQueue(clock: Clock): AnswerQueue {
  let waiting: PendingResponse[] = [];
  let firstAtMs = 0;
  const flush = () => {
    const responses = waiting;
    waiting = [];
    for (const response of responses) write(response);
  };
  return {
    add(response) {
      const isFirst = waiting.push(response) === 1;
      const nowMs = clock.monotonicMs();
      if (isFirst) {
        firstAtMs = nowMs;
        setImmediate(flush);
      } else if (nowMs - firstAtMs >= LONGEST_WAIT_MS) flush();
    },
  };
}

/** False when the response was refused meanwhile, or the client has gone. */
export function isWritable(ctx: Context): boolean {
  return !ctx.res.headersSent && ctx.writable;
}

function write(response: PendingResponse): void {
  const { ctx } = response;
  try {
    if (isWritable(ctx)) writeHeadAndBody(response);
    else discard(response);
  } catch (error) {
    discard(response);
    ctx.onerror(error as Error);
  }
}

function writeHeadAndBody(response: PendingResponse): void {
  const { ctx, headers, status, body } = response;
  const { res } = ctx;
  if (body instanceof Readable) {
    writeStream(response, body);
    return;
  }
  if (body === undefined) {
    if (status !== 204 && status !== 304) headers.push('Content-Length', '0');
    res.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(body);
  headers.push('Content-Length', String(length));
  res.writeHead(status, headers);
  // A text of as many bytes as characters is ASCII, which needs no encoder.
  if (typeof body === 'string') res.end(body, length === body.length ? 'latin1' : 'utf8');
  else res.end(body);
}

/** The head goes out at once: an event stream may have its first event much later. */
function writeStream({ ctx, headers, status }: PendingResponse, body: Readable): void {
  const { res } = ctx;
  res.writeHead(status, headers);
  if (ctx.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  res.flushHeaders();
  // Destroys the other side when one breaks off; the stream itself says why.
  pipeline(body, res, () => undefined);
}

/** Ends the source of a response that nobody will read. */
export function discard({ body }: PendingResponse): void {
  if (body instanceof Readable) body.destroy();
}
