import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { AnswerQueue, PendingResponse, ResponseBody } from './answer-queue.ts';
import { discard, isWritable } from './answer-queue.ts';

/** Names the product and the version of the API (specification, "Versioning", rule 8). */
export const SERVER_HEADER = 'Probity-API/v1';

/** Identifiers that callers may give their requests (contract, section 9). */
const REQUEST_ID = /^[\w.:+/=@-]{8,128}$/;

/**
 * A request under way, and its answer as far as there is one. Under a host's application it hands
 * headers and answer to Koa as they come, for the host's own middleware to see. Under an application
 * of ours it keeps them, since Node writes a list of headers at once for less than one by one.
 */
export class RequestState {
  readonly requestId: string;
  /** Alternating header names and values; null when Koa owns the headers. */
  readonly #kept: string[] | null;
  readonly #response: ServerResponse;
  #pending: PendingResponse | null = null;

  constructor(response: ServerResponse, requestId: string, isKept: boolean) {
    this.requestId = requestId;
    this.#response = response;
    this.#kept = isKept ? [] : null;
    // What every response carries.
    this.addHeader('Server', SERVER_HEADER);
    this.addHeader('X-Content-Type-Options', 'nosniff');
    this.addHeader('X-Request-Id', requestId);
  }

  /** Sets a header that nothing else sets. */
  addHeader(name: string, value: string): void {
    if (this.#kept) this.#kept.push(name, value);
    else this.#response.setHeader(name, value);
  }

  /** Sets headers in place of those of the same names. */
  setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) {
      const at =
        this.#kept?.findIndex((each, index) => index % 2 === 0 && equals(each, name)) ?? -1;
      if (at >= 0) this.#kept?.splice(at, 2);
      this.addHeader(name, headers[name] as string);
    }
  }

  /** Sets one cookie more. */
  addCookie(cookie: string): void {
    if (this.#kept) this.#kept.push('Set-Cookie', cookie);
    else this.#response.appendHeader('Set-Cookie', cookie);
  }

  /** Whether there is an answer that Koa does not know of. */
  get isAnswered(): boolean {
    return this.#pending !== null;
  }

  /** Answers the request, in place of an answer before; its headers have been set. */
  answer(ctx: Context, status: number, body: ResponseBody): void {
    if (this.#pending) discard(this.#pending);
    if (this.#kept) this.#pending = { ctx, headers: this.#kept, status, body };
    else handToKoa(ctx, status, body);
  }

  /** Gives the pending response to `queue`, or Koa the headers for an answer of its own. */
  finish(queue: AnswerQueue): void {
    const kept = this.#kept;
    const pending = this.#pending;
    if (pending) {
      if (isWritable(pending.ctx)) {
        pending.ctx.respond = false;
        queue.add(pending);
      } else discard(pending);
      return;
    }
    if (!kept || this.#response.headersSent || !this.#response.writable) return;
    for (let index = 0; index < kept.length; index += 2) {
      this.#response.setHeader(kept[index] as string, kept[index + 1] as string);
    }
  }
}

function equals(left: string, right: string): boolean {
  return left.length === right.length && left.toLowerCase() === right.toLowerCase();
}

function handToKoa({ response }: Context, status: number, body: ResponseBody): void {
  response.status = status;
  response.body = body ?? null;
  // Koa takes a body that is null for 204.
  response.status = status;
}

const key = Symbol('probity.request');

/** The caller's request identifier where it is safe to repeat, else a new one. */
export function requestIdOf(header: string | undefined, ids: Ids = createIds()): string {
  return header && REQUEST_ID.test(header) ? header : ids.next('req');
}

/**
 * The state of a request, made by whoever asks first: of mounted routers and the program around
 * them, that one decides about the identifier.
 */
export function stateOf(ctx: Context, ids: Ids, isKept = false): RequestState {
  const state = ctx.state as Record<symbol, RequestState | undefined>;
  const known = state[key];
  if (known) return known;
  const requestId = requestIdOf(ctx.req.headers['x-request-id'] as string | undefined, ids);
  const request = new RequestState(ctx.res, requestId, isKept);
  state[key] = request;
  return request;
}

/**
 * Gives the request its identifier and the response the headers that every response carries.
 * Mounted routers and the program around them may all call it; the first one decides.
 */
export function openRequest(ctx: Context, ids: Ids): string {
  return stateOf(ctx, ids).requestId;
}
