import type { Context } from 'koa';
import type { Clock } from '../clock.ts';

/** An answer's status and body; without a body there is no content. */
export interface Answer {
  readonly status: number;
  readonly body: string | Buffer | undefined;
}

/** An answer with its headers, names and values in turns. */
interface WholeAnswer extends Answer {
  readonly ctx: Context;
  readonly headers: string[];
}

/** Answers that are written soon, past Koa. */
export interface AnswerQueue {
  add(answer: WholeAnswer): void;
}

/** An answer does not wait for others once the first one has waited for so long. */
const LONGEST_WAIT_MS = 1;

/**
 * Writes the answers that are ready in one turn of the event loop one after the other at its end. A
 * system call that sends something wakes whoever waits for it at the other end, and is the dearest
 * part of a small request; between two that follow at once, nobody has fallen asleep again.
 */
export function createAnswerQueue(clock: Clock): AnswerQueue {
  let waiting: WholeAnswer[] = [];
  let firstAtMs = 0;
  const flush = () => {
    const answers = waiting;
    waiting = [];
    for (const answer of answers) write(answer);
  };
  return {
    add(answer) {
      const isFirst = waiting.push(answer) === 1;
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

function write(answer: WholeAnswer): void {
  const { ctx } = answer;
  try {
    if (isWritable(ctx)) writeHeadAndBody(answer);
  } catch (error) {
    ctx.onerror(error as Error);
  }
}

function writeHeadAndBody({ ctx: { res }, headers, status, body }: WholeAnswer): void {
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
