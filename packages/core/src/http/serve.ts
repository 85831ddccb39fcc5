import type { Context } from 'koa';
import type { ProbityError } from '../errors.ts';
import { toProbityError } from '../errors.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { ResponseBody } from './answer-queue.ts';
import { discard } from './answer-queue.ts';
import type { Authorization } from './authorize.ts';
import { authorize, authorizeAgain } from './authorize.ts';
import type { BodyShare } from './body-budget.ts';
import { answerFailure, closeAfterUnreadBody } from './errors.ts';
import {
  idempotencyKeyOf,
  keyScopeOf,
  refuseIdempotencyKey,
  runOncePerKey,
} from './idempotency.ts';
import { counted, readBody, readHeaders, readParams, readQuery, readStreamed } from './input.ts';
import { refuseDuringMaintenance } from './maintenance.ts';
import { spendQuota } from './quotas.ts';
import type { ReplyParts } from './reply.ts';
import { reply } from './reply.ts';
import type { ResponseCache } from './representations.ts';
import { RequestContext } from './request-context.ts';
import type { RequestState } from './request-state.ts';
import type { Route } from './route.ts';
import type { Kit } from './router-options.ts';
import type { RouteMatch } from './routes.ts';
import { toReadable } from './streams.ts';

/** A request that an endpoint answers. */
export interface MatchedRequest {
  readonly ctx: Context;
  readonly request: RequestState;
  readonly match: RouteMatch<Route>;
  /** The undecoded path below the mount. */
  readonly rest: string;
  readonly kit: Kit;
}

/** Answers the request in every case; returns the status. */
export async function answer(matched: MatchedRequest): Promise<number> {
  const { request, kit } = matched;
  const { status, error } = await answerIn(matched);
  if (kit.observe && request.principal) {
    const { method, search } = matched.ctx;
    const path = matched.rest + search;
    kit.observe({ principal: request.principal, method, path, status, error });
  }
  return status;
}

/** How a request was answered. */
interface Answered {
  readonly status: number;
  /** Null for a response of the handler. */
  readonly error: ProbityError | null;
}

async function answerIn(matched: MatchedRequest): Promise<Answered> {
  const { ctx, request, match, kit } = matched;
  const { route } = match;
  for (const [name, value] of route.deprecation) request.addHeader(name, value);
  let body: ResponseBody;
  try {
    const given = await serve(matched);
    if (route.responseCache && given.status === 200) {
      route.checkReply?.(given);
      return { status: sendKept(given, route.responseCache, matched), error: null };
    }
    body = toResponseBody(given, matched);
    route.checkReply?.(given);
    return { status: send(given, body, matched), error: null };
  } catch (thrown) {
    const { errorFormat, logger } = kit;
    discard({ body });
    const error = toProbityError(checkError(thrown, matched));
    const { requestId, principal } = request;
    const { operationId } = route.declaration;
    kit.onFailure?.({ requestId, operationId, principal, error });
    return { status: answerFailure(error, { ctx, request, errorFormat, logger }), error };
  }
}

/**
 * Checks, from the head alone, maintenance, authentication, rate limit, permission, plan and quota;
 * then runs validation of the request's parts, idempotency and the handler.
 */
async function serve(matched: MatchedRequest): Promise<ReplyParts> {
  const { ctx, request, match, kit } = matched;
  const { route } = match;
  const { declaration } = route;
  kit.traffic?.enter(ctx.res);
  if (kit.maintenance) await refuseDuringMaintenance(kit.maintenance);
  const head = { ctx, request, declaration, params: match.params };
  const authorization = await authorize(head, kit);
  const key = route.idempotencyKey === 'accepted' ? idempotencyKeyOf(ctx) : undefined;
  if (route.idempotencyKey === 'refused') refuseIdempotencyKey(ctx);
  const params = readParams(declaration, match.params);
  const headers = readHeaders(ctx, route);
  const query = readQuery(ctx, route);
  const share = kit.bodyBudget.open({
    address: authorization.address,
    organizationId: authorization.principal.organizationId || null,
  });
  let isAnswering = false;
  try {
    const received = await receiveBody(matched, authorization, share);
    const { authorization: latest, body } = received;
    const given = await call(matched, { authorization: latest, params, headers, query, body, key });
    // The source of a streamed answer may still read and keep the body.
    isAnswering = isStreamedReply(given) && !ctx.res.closed;
    if (isAnswering) {
      ctx.res.setMaxListeners(ctx.res.getMaxListeners() + 1);
      ctx.res.once('close', share.release);
    }
    return given;
  } finally {
    if (!isAnswering) share.release();
  }
}

function isStreamedReply({ content }: ReplyParts): boolean {
  return content !== undefined && !(content.data instanceof Uint8Array);
}

/** The parts of a request that a handler is called with. */
interface Received {
  readonly authorization: Authorization;
  readonly params: unknown;
  readonly headers: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The Idempotency-Key, if any. */
  readonly key: string | undefined;
}

/**
 * Reads the body. When it was still arriving after the caller had been authorized, the credential
 * is looked at again; for a streamed body, at its end.
 */
async function receiveBody(
  { ctx, request, match, kit }: MatchedRequest,
  before: Authorization,
  share: BodyShare,
): Promise<Pick<Received, 'authorization' | 'body'>> {
  const { declaration, body: plan } = match.route;
  const isLate = plan !== null && declaration.permission !== 'public' && !ctx.req.complete;
  const head = { ctx, request, declaration, params: match.params };
  const again = () => authorizeAgain(head, before, kit);
  const read = await readBody(ctx, match.route, share);
  if (!plan?.isStreamed) return { authorization: isLate ? await again() : before, body: read };
  const arriving = read as AsyncIterable<Uint8Array>;
  if (!plan.read) {
    const chunks = plan.isKept ? counted(ctx.req, arriving, share) : arriving;
    return { authorization: before, body: isLate ? endWith(chunks, again) : chunks };
  }
  const chunks = arriving;
  const body = await readStreamed(ctx, { limit: plan.limit, chunks, share, read: plan.read });
  return { authorization: isLate ? await again() : before, body };
}

/** Yields the chunks; `last` runs after them, and its error is the reader's. */
async function* endWith(
  chunks: AsyncIterable<Uint8Array>,
  last: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  yield* chunks;
  await last();
}

/** Runs the handler, once per Idempotency-Key if there is one. */
async function call(matched: MatchedRequest, received: Received): Promise<ReplyParts> {
  const { ctx, request, match, rest, kit } = matched;
  const { declaration, headerNames } = match.route;
  const { authorization, params, headers, query, body, key } = received;
  const { principal, address, confirm } = authorization;
  const { idempotency, errorFormat, meter } = kit;
  const { requestId, trace } = request;
  if (kit.tenants && declaration.permission !== 'public') {
    await kit.tenants.ensure(principal.organizationId);
  }
  const work = async (unit?: UnitOfWork): Promise<ReplyParts> => {
    // Inside, since a replay consumes nothing; first, since nothing has been written yet.
    const spending = spendQuota(meter, principal, declaration, body);
    const units = typeof spending === 'number' ? spending : await spending;
    const caller = { principal, address, requestId, unit, idempotencyKey: key, confirm, trace };
    const context = new RequestContext(ctx.res, caller);
    return declaration.handler({ context, params, query, headers, body, units, reply });
  };
  if (!idempotency || key === undefined) return work();
  // Declared headers, such as If-Match, are part of the request's identity.
  const input = headerNames ? { query, body, headers } : { query, body };
  const { operationId } = declaration;
  const scope = keyScopeOf(ctx, { operationId, params: match.params, rest });
  return runOncePerKey(idempotency, {
    key,
    route: scope,
    authorization,
    input,
    errorFormat,
    requestId,
    work,
  });
}

const NO_STORE = Object.freeze({ 'Cache-Control': 'no-store' });

/** Sends a handler's response; returns the status. */
function send(
  { status, content, headers, cookies }: ReplyParts,
  body: ResponseBody,
  { ctx, request, match, kit }: MatchedRequest,
): number {
  const { route } = match;
  if (headers) request.setHeaders(headers);
  for (const cookie of cookies ?? []) request.addCookie(cookie);
  if (route.secretStatuses.has(status)) request.setHeaders(NO_STORE);
  if (route.body?.isStreamed) closeAfterUnreadBody(ctx, request);
  if (content) request.addHeader('Content-Type', content.contentType);
  else if (body !== undefined) {
    request.addHeader('Content-Type', route.mediaTypes.get(status) ?? kit.errorFormat.contentType);
  }
  request.answer(ctx, status, body);
  return status;
}

/** Sends a response that clients keep and revalidate; returns the status. */
function sendKept(
  reply: ReplyParts,
  cache: ResponseCache,
  { ctx, request, match, kit }: MatchedRequest,
): number {
  const { status, bytes, headers } = cache.revalidate(ctx, reply);
  request.setHeaders({ ...reply.headers, ...headers });
  if (bytes) {
    const declared = match.route.mediaTypes.get(status) ?? kit.errorFormat.contentType;
    request.addHeader('Content-Type', reply.content?.contentType ?? declared);
  }
  request.answer(ctx, status, bytes);
  return status;
}

function toResponseBody(
  { body, json, content }: ReplyParts,
  { ctx, request, kit }: MatchedRequest,
): ResponseBody {
  if (!content) return json ?? (body === undefined ? undefined : JSON.stringify(body));
  const { data } = content;
  if (data instanceof Uint8Array) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return toReadable(data, (error) => {
    // A source that ends because its reader disconnected is not a failure.
    if (ctx.res.destroyed) return;
    kit.logger.error('a streamed response ended early', { request_id: request.requestId, error });
  });
}

/** The thrown error, or its mismatch: errors must match the declaration as well. */
function checkError(thrown: unknown, { ctx, request, match, kit }: MatchedRequest): unknown {
  const { checkReply } = match.route;
  const error = toProbityError(thrown);
  // No declaration covers the cause of an internal error, or the status after a client
  // disconnected.
  if (!checkReply || error.kind === 'internal' || ctx.res.closed) return thrown;
  const { errorFormat } = kit;
  try {
    const body = errorFormat.body(error, request.requestId);
    checkReply({ status: errorFormat.status(error), body });
    return thrown;
  } catch (fault) {
    return fault;
  }
}
