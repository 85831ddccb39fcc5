import type { Context } from 'koa';
import { toProbityError } from '../errors.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { authorize } from './authorize.ts';
import { answerFailure, closeAfterUnreadBody } from './errors.ts';
import { idempotencyKeyOf, refuseIdempotencyKey, runOncePerKey } from './idempotency.ts';
import { readBody, readHeaders, readParams, readQuery } from './input.ts';
import { refuseDuringMaintenance } from './maintenance.ts';
import { spendQuota } from './quotas.ts';
import type { ReplyParts } from './reply.ts';
import { reply } from './reply.ts';
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
  readonly kit: Kit;
}

/** Answers the request in every case; returns the status. */
export async function answer(matched: MatchedRequest): Promise<number> {
  const { ctx, request, match, kit } = matched;
  const { route } = match;
  for (const [name, value] of route.deprecation) request.addHeader(name, value);
  try {
    const given = await serve(matched);
    route.checkReply?.(given);
    return send(given, matched);
  } catch (thrown) {
    const { errorFormat, logger } = kit;
    return answerFailure(checkError(thrown, matched), { ctx, request, errorFormat, logger });
  }
}

/**
 * Checks, from the head alone, maintenance, authentication, rate limit, permission, plan and quota;
 * then runs validation of the request's parts, idempotency and the handler.
 */
async function serve({ ctx, request, match, kit }: MatchedRequest): Promise<ReplyParts> {
  const { route } = match;
  const { declaration } = route;
  if (kit.maintenance) await refuseDuringMaintenance(kit.maintenance);
  const head = { ctx, request, declaration, params: match.params };
  const authorization = await authorize(head, kit);
  const { principal, address } = authorization;
  const key = route.idempotencyKey === 'accepted' ? idempotencyKeyOf(ctx) : undefined;
  if (route.idempotencyKey === 'refused') refuseIdempotencyKey(ctx);
  const params = readParams(declaration, match.params);
  const headers = readHeaders(ctx, route);
  const query = readQuery(ctx, route);
  const body = await readBody(ctx, route);
  if (kit.tenants && declaration.permission !== 'public') {
    await kit.tenants.ensure(principal.organizationId);
  }
  const { idempotency, errorFormat, meter } = kit;
  const { requestId } = request;
  const call = async (unit?: UnitOfWork): Promise<ReplyParts> => {
    // Inside, since a replay consumes nothing; first, since nothing has been written yet.
    const spending = spendQuota(meter, principal, declaration, body);
    if (spending) await spending;
    const context = new RequestContext(ctx.res, { principal, address, requestId, unit });
    return declaration.handler({ context, params, query, headers, body, reply });
  };
  if (!idempotency || key === undefined) return call();
  // Declared headers, such as If-Match, are part of the request's identity.
  const input = route.headerNames ? { query, body, headers } : { query, body };
  const keyed = { ctx, key, authorization, input, errorFormat, requestId, work: call };
  return runOncePerKey(idempotency, keyed);
}

/** Sends a handler's response; returns the status. */
function send(given: ReplyParts, { ctx, request, match, kit }: MatchedRequest): number {
  const { status, body, content, headers, cookies } = given;
  const { route } = match;
  if (headers) request.setHeaders(headers);
  for (const cookie of cookies ?? []) request.addCookie(cookie);
  if (route.body?.isStreamed) closeAfterUnreadBody(ctx, request);
  if (content) {
    const { contentType, data } = content;
    request.addHeader('Content-Type', contentType);
    request.answer(
      ctx,
      status,
      toResponseBody(data, (error) => {
        // A source that ends because its reader disconnected is not a failure.
        if (ctx.res.destroyed) return;
        kit.logger.error('a streamed answer broke off', { request_id: request.requestId, error });
      }),
    );
  } else if (body === undefined) {
    request.answer(ctx, status, undefined);
  } else {
    request.addHeader('Content-Type', route.mediaTypes.get(status) ?? kit.errorFormat.contentType);
    request.answer(ctx, status, JSON.stringify(body));
  }
  return status;
}

function toResponseBody(
  data: NonNullable<ReplyParts['content']>['data'],
  onError: (error: unknown) => void,
) {
  if (!(data instanceof Uint8Array)) return toReadable(data, onError);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
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
