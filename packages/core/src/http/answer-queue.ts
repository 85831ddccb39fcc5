import { pipeline, Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Clock } from '../clock.ts';

/** The body of a response; a stream is sent at the client's pace. */
export type ResponseBody = string | Buffer | Readable | undefined;

/** A response that has not been written; without a body it has no content. */
export interface PendingResponse {
  readonly ctx: Context;
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly body: ResponseBody;
}

/** Responses to be written soon, bypassing Koa. */
export interface AnswerQueue {
  add(response: PendingResponse): void;
}

/** Time after which a queued response is written without waiting for more. */
const LONGEST_WAIT_MS = 1;

/**
 * Writes the responses that become ready in one turn of the event loop back to back at its end. A
 * system call that sends data wakes the process that waits at the other end, which is the most
 * expensive part of a small request; writing back to back avoids a wake-up per response.
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

/** False when the response was rejected meanwhile or the client has disconnected. */
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
  // Text with as many bytes as characters is ASCII, which needs no encoder.
  if (typeof body === 'string') res.end(body, length === body.length ? 'latin1' : 'utf8');
  else res.end(body);
}

/** Sends the head at once: the first event of an event stream may come much later. */
function writeStream({ ctx, headers, status }: PendingResponse, body: Readable): void {
  const { res } = ctx;
  res.writeHead(status, headers);
  if (ctx.method === 'HEAD') {
    body.destroy();
    res.end();
    return;
  }
  res.flushHeaders();
  // Destroys the other side when one fails; the stream itself reports the reason.
  pipeline(body, res, () => undefined);
}

/** Ends the source of a response that will not be read. */
export function discard({ body }: Pick<PendingResponse, 'body'>): void {
  if (body instanceof Readable) body.destroy();
}
