import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { CallTrace, Principal } from '../context.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { AnswerQueue, PendingResponse, ResponseBody } from './answer-queue.ts';
import { discard, isWritable } from './answer-queue.ts';

/** Identifies the product and the version of the API (specification, "Versioning", rule 8). */
export const SERVER_HEADER = 'Probity-API/v1';

/** Valid form of a request id sent by a caller (contract, section 9). */
const REQUEST_ID = /^[\w.:+/=@-]{8,128}$/;

/**
 * A request in progress and its response so far. Under a host's application, headers and response
 * go to Koa immediately, visible to the host's middleware. Under our own application they are kept,
 * since Node writes a list of headers at once for less than one by one.
 */
export class RequestState {
  readonly requestId: string;
  /** Alternating header names and values; null when Koa owns the headers. */
  readonly #kept: string[] | null;
  readonly #response: ServerResponse;
  /** The caller, once it is known. */
  principal: Principal | null = null;
  /** Absent where the host traces nothing. */
  trace: CallTrace | undefined;
  #pending: PendingResponse | null = null;

  constructor(response: ServerResponse, requestId: string, isKept: boolean) {
    this.requestId = requestId;
    this.#response = response;
    this.#kept = isKept ? [] : null;
    // Headers of every response.
    this.addHeader('Server', SERVER_HEADER);
    this.addHeader('X-Content-Type-Options', 'nosniff');
    this.addHeader('X-Request-Id', requestId);
  }

  /** Sets a header that nothing else sets. */
  addHeader(name: string, value: string): void {
    if (this.#kept) this.#kept.push(name, value);
    // The server may have refused the body meanwhile.
    else if (!this.#response.headersSent) this.#response.setHeader(name, value);
  }

  /** Sets headers, replacing those of the same names. */
  setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) {
      const at =
        this.#kept?.findIndex((each, index) => index % 2 === 0 && equals(each, name)) ?? -1;
      if (at >= 0) this.#kept?.splice(at, 2);
      this.addHeader(name, headers[name] as string);
    }
  }

  /** Adds a cookie. */
  addCookie(cookie: string): void {
    if (this.#kept) this.#kept.push('Set-Cookie', cookie);
    else if (!this.#response.headersSent) this.#response.appendHeader('Set-Cookie', cookie);
  }

  /** Whether there is a response that Koa does not know about. */
  get isAnswered(): boolean {
    return this.#pending !== null;
  }

  /** Sets the response, replacing any earlier one; its headers have already been set. */
  answer(ctx: Context, status: number, body: ResponseBody): void {
    if (this.#pending) discard(this.#pending);
    if (this.#kept) this.#pending = { ctx, headers: this.#kept, status, body };
    else handToKoa(ctx, status, body);
  }

  /** Passes the pending response to `queue`, or the headers to Koa for a response of its own. */
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
  // Koa treats a null body as status 204.
  response.status = status;
}

const methodsKey = Symbol('probity.methods');

/**
 * Methods that the routers reached so far support at the path of the request. Separate from
 * {@link stateOf}, which sets headers: the host may still answer.
 */
export function methodsOf(ctx: Context): Set<string> {
  const state = ctx.state as Record<symbol, Set<string> | undefined>;
  state[methodsKey] ??= new Set();
  return state[methodsKey];
}

/** The state of a request that a router or the surrounding program has opened, or undefined. */
function knownStateOf(ctx: Context): RequestState | undefined {
  return (ctx.state as Record<symbol, RequestState | undefined>)[key];
}

/** Whether an endpoint, an error or the host has answered the request. */
export function isAnswered(ctx: Context): boolean {
  if (knownStateOf(ctx)?.isAnswered || ctx.respond === false || ctx.headerSent) return true;
  return ctx.status !== 404 || (ctx.body !== undefined && ctx.body !== null);
}

const key = Symbol('probity.request');

/** The caller's request id when it is safe to echo, else a new one. */
export function requestIdOf(header: string | undefined, ids: Ids = createIds()): string {
  return header && REQUEST_ID.test(header) ? header : ids.next('req');
}

/**
 * The state of a request, created on first access: of mounted routers and the surrounding program,
 * the first decides the request id.
 */
export function stateOf(ctx: Context, ids: Ids, isKept = false): RequestState {
  const known = knownStateOf(ctx);
  if (known) return known;
  const requestId = requestIdOf(ctx.req.headers['x-request-id'] as string | undefined, ids);
  const request = new RequestState(ctx.res, requestId, isKept);
  (ctx.state as Record<symbol, RequestState>)[key] = request;
  return request;
}

/**
 * Sets the request id and the headers that every response carries. Mounted routers and the
 * surrounding program may all call it; the first one decides.
 */
export function openRequest(ctx: Context, ids: Ids): string {
  return stateOf(ctx, ids).requestId;
}
