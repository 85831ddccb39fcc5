import type { Context, Middleware, Next } from 'koa';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { DEFAULT_RATE_LIMITS } from '../contract/rate-limits.ts';
import { ProbityError, toProbityError } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { silentLogger } from '../logging/logger.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { CidrList } from '../outbound/networks.ts';
import { parseCidrList } from '../outbound/networks.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limit.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { admit } from './admission.ts';
import type { Authenticate } from './authentication.ts';
import { hasBody } from './body.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { isRepeatable, takesBody } from './endpoint.ts';
import { idempotencyKeyOf, runRepeatable } from './idempotency.ts';
import { readBody, readParams, readQuery } from './input.ts';
import { refuseDuringMaintenance } from './maintenance.ts';
import type { Meter } from './meter.ts';
import { spendQuota } from './quotas.ts';
import type { RateLimitOptions } from './rate-limits.ts';
import { RequestContext } from './request-context.ts';
import type { RequestState } from './request-state.ts';
import { stateOf } from './request-state.ts';
import type { Routes } from './routes.ts';
import { createRoutes } from './routes.ts';
import { validate } from './validation.ts';

/** What a host decides about a router; the same for every package's. */
export interface RouterOptions {
  /** Who a bearer token belongs to. */
  readonly authenticate: Authenticate;
  /** Path that the routes stand under; default none, for mounting with `koa-mount`. */
  readonly prefix?: string;
  /** Default: the specification's limits, counted in this process. */
  readonly rateLimits?: RateLimitOptions;
  /** Proxies whose X-Forwarded-For is believed; default none. */
  readonly trustedProxies?: CidrList;
  /**
   * Makes requests with an Idempotency-Key safe to repeat; must be on the database of the services.
   * Default: the header is ignored.
   */
  readonly idempotency?: Idempotency;
  /** While it is on the endpoints answer 503; default none. */
  readonly maintenance?: Maintenance;
  /** Counts calls against the monthly quotas of plans; default: nothing is counted. */
  readonly meter?: Meter;
  /** Default: none. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Called once for every answer of an endpoint. */
  readonly observe?: (observation: RequestObservation) => void;
}

/** One answered request, for metrics. */
export interface RequestObservation {
  readonly method: string;
  /** The route's path with parameters in braces, never the request's own. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

type Kit = Required<Omit<RouterOptions, 'idempotency' | 'maintenance' | 'meter'>> &
  Pick<RouterOptions, 'idempotency' | 'maintenance' | 'meter'> & {
    readonly dialect: ErrorDialect;
  };

/**
 * Koa middleware that answers the endpoints and leaves every other path to the host. Each request
 * goes: identifier and headers; from the headers alone authentication, rate limit and permission;
 * then the body, its validation and the handler.
 */
export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  dialect: ErrorDialect,
  options: RouterOptions,
): Middleware {
  const kit = complete(options, dialect);
  const routes = createRoutes(endpoints, kit.prefix, (declaration) =>
    createHandler(declaration, kit),
  );
  return (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(kit.prefix)) return next();
    const match = routes.find(ctx.req.method as string, path);
    if (!match) return answerUnmatched(ctx, next, routes, kit);
    ctx.params = match.params;
    return match.route(ctx);
  };
}

type Handler = (ctx: Context) => Promise<void>;

function complete(options: RouterOptions, dialect: ErrorDialect): Kit {
  const clock = options.clock ?? systemClock;
  return {
    prefix: '',
    rateLimits: { limiter: createMemoryRateLimiter(clock), limits: DEFAULT_RATE_LIMITS },
    trustedProxies: parseCidrList(''),
    logger: silentLogger,
    ids: createIds(clock),
    observe: () => undefined,
    ...options,
    clock,
    dialect,
  };
}

function createHandler(declaration: Endpoint, kit: Kit): Handler {
  const { observe, clock, logger } = kit;
  const { method } = declaration;
  const path = kit.prefix + declaration.path;
  return async (ctx) => {
    const startedAtMs = clock.monotonicMs();
    const request = stateOf(ctx, kit.ids);
    let status: number;
    try {
      status = send(ctx, request, await serve(ctx, declaration, kit, request), kit.dialect);
    } catch (thrown) {
      status = sendError(ctx, request, thrown, kit);
    }
    const durationMs = clock.monotonicMs() - startedAtMs;
    observe({ method, path, status, durationMs });
    logger.info('request', {
      request_id: request.requestId,
      method,
      path,
      status,
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
    });
  };
}

async function serve(
  ctx: Context,
  declaration: Endpoint,
  kit: Kit,
  request: RequestState,
): Promise<Reply> {
  if (kit.maintenance) await refuseDuringMaintenance(kit.maintenance);
  const { principal, token, address } = await admit(ctx, request, declaration, kit);
  const params = declaration.params && validate(declaration.params, readParams(ctx));
  const query = readQuery(ctx, declaration);
  const body = takesBody(declaration) ? await readBody(ctx, declaration) : undefined;
  const { idempotency, dialect, meter } = kit;
  const { requestId } = request;
  const run = (unit?: UnitOfWork) => {
    const context = new RequestContext(ctx.res, { principal, address, requestId, unit });
    return declaration.handler({ context, params, query, body, headers: ctx.headers });
  };
  const handle = async (unit?: UnitOfWork) => {
    // Here a repetition, which does nothing, spends nothing; and nothing has been written yet.
    await spendQuota(meter, principal, declaration, body);
    return run(unit);
  };
  const key = idempotency && isRepeatable(declaration) ? idempotencyKeyOf(ctx) : undefined;
  if (!idempotency || key === undefined) return declaration.quota ? handle() : run();
  const call = { key, principal, token, input: { query, body }, dialect, requestId };
  return runRepeatable(ctx, idempotency, call, handle);
}

/** Answers with what a handler gave; tells the status. */
function send(ctx: Context, request: RequestState, reply: Reply, dialect: ErrorDialect): number {
  const { status, body, file, headers, cookies } = reply;
  if (headers) request.setHeaders(headers);
  for (const cookie of cookies ?? []) request.addCookie(cookie);
  if (file) {
    request.addHeader('Content-Type', file.contentType);
    request.answer(ctx, { status, body: Buffer.from(file.bytes) });
  } else if (body === undefined) {
    request.answer(ctx, { status, body });
  } else {
    request.addHeader('Content-Type', dialect.contentType);
    request.answer(ctx, { status, body: JSON.stringify(body) });
  }
  return status;
}

function sendError(ctx: Context, request: RequestState, thrown: unknown, kit: Kit): number {
  const error = toProbityError(thrown);
  const { requestId } = request;
  // What fails because the client has gone is no failure of ours, and nobody reads the answer.
  if (error.status >= 500 && !ctx.res.destroyed) {
    kit.logger.error('a request failed', { request_id: requestId, error: error.cause ?? error });
  }
  // An answer that leaves part of the body unread must not be followed by another on this socket.
  if (hasBody(ctx.req) && !ctx.req.readableEnded) request.setHeaders({ Connection: 'close' });
  return answerError(ctx, request, error, kit.dialect);
}

/** Answers with an error in the interface's form; tells the status. */
export function answerError(
  ctx: Context,
  request: RequestState,
  error: ProbityError,
  dialect: ErrorDialect,
): number {
  const status = dialect.status(error);
  request.setHeaders({ ...error.headers, 'Content-Type': dialect.contentType });
  request.answer(ctx, { status, body: JSON.stringify(dialect.body(error, request.requestId)) });
  return status;
}

/** A known path with another method is answered here (RFC 9110, section 15.5.6); others go on. */
async function answerUnmatched(
  ctx: Context,
  next: Next,
  routes: Routes<Handler>,
  kit: Kit,
): Promise<void> {
  const methods = routes.methodsAt(ctx.path);
  if (methods.length === 0) return next();
  const allow = methods.join(', ');
  const request = stateOf(ctx, kit.ids);
  const message = `${ctx.path} does not support ${ctx.method}; it supports ${allow}.`;
  const error = new ProbityError('method_not_allowed', message, { headers: { Allow: allow } });
  const status = sendError(ctx, request, error, kit);
  const { method, path } = ctx;
  kit.logger.info('request', { request_id: request.requestId, method, path, status });
}
