import type { Context, Middleware, Next } from 'koa';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { ProbityError, toProbityError } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { silentLogger } from '../logger.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { CidrList } from '../outbound/networks.ts';
import { parseCidrList } from '../outbound/networks.ts';
import type { Authenticate } from '../platform/authentication.ts';
import { createMemoryRateLimiter, DEFAULT_RATE_LIMITS } from '../rate-limit.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { Meter } from '../usage/meter.ts';
import { admit } from './admission.ts';
import { hasBody } from './body.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { idempotencyKeyOf, runRepeatable } from './idempotency.ts';
import { readBody, readParams, readQuery } from './input.ts';
import { refuseDuringMaintenance } from './maintenance.ts';
import { spendQuota } from './quotas.ts';
import type { RateLimitOptions } from './rate-limits.ts';
import { RequestContext } from './request-context.ts';
import { openRequest } from './request-state.ts';
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
    const { method, path } = ctx;
    if (!path.startsWith(kit.prefix)) return next();
    const match = routes.find(method, path);
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
    const requestId = openRequest(ctx, kit.ids);
    try {
      send(ctx, await serve(ctx, declaration, kit, requestId), kit.dialect);
    } catch (thrown) {
      sendError(ctx, thrown, kit, requestId);
    }
    const durationMs = clock.monotonicMs() - startedAtMs;
    const { status } = ctx;
    observe({ method, path, status, durationMs });
    logger.info('request', {
      request_id: requestId,
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
  requestId: string,
): Promise<Reply> {
  if (kit.maintenance) await refuseDuringMaintenance(kit.maintenance);
  const { principal, token, address } = await admit(ctx, declaration, kit);
  const params = declaration.params && validate(declaration.params, readParams(ctx));
  const query = readQuery(ctx, declaration);
  const body = declaration.body && validate(declaration.body, await readBody(ctx, declaration));
  const { idempotency, dialect, meter } = kit;
  const run = (unit?: UnitOfWork) => {
    const context = new RequestContext(ctx.res, { principal, address, requestId, unit });
    return declaration.handler({ context, params, query, body, headers: ctx.headers });
  };
  const handle = async (unit?: UnitOfWork) => {
    // Here a repetition, which does nothing, spends nothing; and nothing has been written yet.
    await spendQuota(meter, principal, declaration, body);
    return run(unit);
  };
  const isRepeatable = declaration.method === 'POST' && declaration.permission !== 'public';
  const key = idempotency && isRepeatable ? idempotencyKeyOf(ctx) : undefined;
  if (!idempotency || key === undefined) return declaration.quota ? handle() : run();
  const call = { key, principal, token, input: { query, body }, dialect, requestId };
  return runRepeatable(ctx, idempotency, call, handle);
}

function send(ctx: Context, reply: Reply, dialect: ErrorDialect): void {
  const { response } = ctx;
  if (reply.headers) response.set(reply.headers);
  if (reply.cookies) response.append('Set-Cookie', [...reply.cookies]);
  response.status = reply.status;
  if (reply.file) {
    response.body = Buffer.from(reply.file.bytes);
    response.set('Content-Type', reply.file.contentType);
    return;
  }
  if (reply.body === undefined) {
    response.body = null;
    response.status = reply.status;
    return;
  }
  // Before the body, for which Koa would look for a type.
  ctx.res.setHeader('Content-Type', dialect.contentType);
  response.body = JSON.stringify(reply.body);
}

function sendError(ctx: Context, thrown: unknown, kit: Kit, requestId: string): void {
  const error = toProbityError(thrown);
  // What fails because the client has gone is no failure of ours, and nobody reads the answer.
  if (error.status >= 500 && !ctx.res.destroyed) {
    kit.logger.error('a request failed', { request_id: requestId, error: error.cause ?? error });
  }
  // An answer that leaves part of the body unread must not be followed by another on this socket.
  if (hasBody(ctx.req) && !ctx.req.readableEnded) ctx.set('Connection', 'close');
  writeError(ctx, error, kit.dialect, requestId);
}

/** Answers with an error in the interface's form. */
export function writeError(
  ctx: Context,
  error: ProbityError,
  dialect: ErrorDialect,
  requestId: string,
): void {
  ctx.set(error.headers);
  ctx.status = dialect.status(error);
  ctx.body = JSON.stringify(dialect.body(error, requestId));
  ctx.type = dialect.contentType;
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
  const requestId = openRequest(ctx, kit.ids);
  const message = `${ctx.path} does not support ${ctx.method}; it supports ${allow}.`;
  const error = new ProbityError('method_not_allowed', message, { headers: { Allow: allow } });
  sendError(ctx, error, kit, requestId);
  const { method, status } = ctx;
  kit.logger.info('request', { request_id: requestId, method, path: ctx.path, status });
}
