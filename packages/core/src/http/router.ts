import { METHODS } from 'node:http';
import type { RouterContext } from '@koa/router';
import { Router } from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { ProbityError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import { answerFailure } from './errors.ts';
import { HTTP_REQUEST_DURATION, HTTP_REQUESTS } from './metrics.ts';
import { isAnswered, methodsOf, stateOf } from './request-state.ts';
import { toRoute } from './route.ts';
import type { Kit, RouterOptions } from './router-options.ts';
import { toKit } from './router-options.ts';
import { createRoutes } from './routes.ts';
import type { MatchedRequest } from './serve.ts';
import { answer } from './serve.ts';

/** The only route of a router: everything below its mount. */
const WILDCARD = 'endpoint';
const WILDCARD_PATH = `{/{*${WILDCARD}}}`;

/** All methods, since a known path answers 405 to unsupported ones; common methods first. */
const ALL_METHODS = [...new Set(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', ...METHODS])];

/**
 * Creates an @koa/router router that serves the endpoints and passes every other path on to the
 * host. It can be nested in other routers, prefixed and mounted any number of times.
 *
 * It has one wildcard route; the endpoint is looked up in a radix tree by the undecoded rest of the
 * path below the mount. Endpoints do not see parameters of the host's own prefix.
 */
export function createEndpointRouter(
  endpoints: readonly Endpoint[],
  errorFormat: ErrorFormat,
  options: RouterOptions,
): Router {
  const dispatch = createDispatch(endpoints, errorFormat, options);
  const { prefix } = options;
  const router = new Router({ sensitive: true, ...(prefix ? { prefix } : {}) });
  router.register(
    WILDCARD_PATH,
    ALL_METHODS,
    (ctx, next) => dispatch(ctx, next, mountOf(ctx), restOf(ctx)),
    { ignoreWildcardParameter: WILDCARD },
  );
  return router;
}

/**
 * The same as plain Koa middleware, for an application that has only fixed prefixes: avoids the
 * dispatch of @koa/router, some microseconds per request.
 */
export function createEndpointMiddleware(
  endpoints: readonly Endpoint[],
  errorFormat: ErrorFormat,
  options: RouterOptions,
): Middleware {
  const dispatch = createDispatch(endpoints, errorFormat, options);
  const { prefix = '' } = options;
  return (ctx, next) => {
    const { path } = ctx;
    if (path === prefix) return dispatch(ctx, next, prefix, '/');
    return path.startsWith(`${prefix}/`)
      ? dispatch(ctx, next, prefix, prefix === '' ? path : path.slice(prefix.length))
      : next();
  };
}

/** The pattern of the path that the router is mounted at. */
function mountOf({ routerPath = '' }: RouterContext): string {
  return routerPath.slice(0, -WILDCARD_PATH.length);
}

/** The undecoded path below the mount: the capture of the wildcard, the last one of the route. */
function restOf({ captures }: RouterContext): string {
  return `/${captures?.findLast((captured) => captured !== undefined) ?? ''}`;
}

/**
 * Serves the endpoint at `rest`, the undecoded path below `mount`; everything else is passed on. A
 * known path with a method that nothing downstream serves either is answered 405 (RFC 9110, section
 * 15.5.6).
 */
export type Dispatch = (ctx: Context, next: Next, mount: string, rest: string) => Promise<void>;

/** Creates the dispatch of some endpoints. */
export function createDispatch(
  endpoints: readonly Endpoint[],
  errorFormat: ErrorFormat,
  options: RouterOptions,
): Dispatch {
  const kit = toKit(options, errorFormat);
  const routeOptions = {
    errorFormat,
    hasIdempotency: options.idempotency !== undefined,
    checkReplies: options.checkReplies ?? false,
  };
  const routes = createRoutes(
    endpoints,
    (endpoint) => toRoute(endpoint, routeOptions),
    options.matching,
  );
  return (ctx, next, mount, rest) => {
    const match = routes.find(ctx.req.method as string, rest);
    if (match) return answerMatch({ ctx, match, rest, kit }, mount);
    const methods = routes.methodsAt(rest);
    return methods.length === 0 ? next() : passOtherMethod(ctx, next, methods, kit);
  };
}

async function answerMatch(
  { ctx, match, rest, kit }: Omit<MatchedRequest, 'request'>,
  mount: string,
): Promise<void> {
  const { metrics, clock, logger, ids } = kit;
  const startedAtMs = clock.monotonicMs();
  const request = stateOf(ctx, ids);
  const path = mount + match.path;
  request.trace = kit.traceOf?.(ctx.req, path);
  const status = await answer({ ctx, request, match, rest, kit });
  const durationMs = clock.monotonicMs() - startedAtMs;
  const { method } = match.route.declaration;
  metrics.count(HTTP_REQUESTS, { method, path, status });
  metrics.observe(HTTP_REQUEST_DURATION, { method, path }, durationMs / 1_000);
  logger.info('request', {
    request_id: request.requestId,
    method,
    path,
    status,
    duration_ms: Math.round(durationMs * 1_000) / 1_000,
  });
}

/** The host and later routers may serve the method; Allow names the methods of all routers. */
async function passOtherMethod(
  ctx: Context,
  next: Next,
  methods: readonly string[],
  kit: Kit,
): Promise<void> {
  const allowed = methodsOf(ctx);
  for (const method of methods) allowed.add(method);
  await next();
  if (!isAnswered(ctx)) answerOtherMethod(ctx, [...allowed].sort().join(', '), kit);
}

function answerOtherMethod(ctx: Context, allow: string, { ids, logger, errorFormat }: Kit): void {
  const request = stateOf(ctx, ids);
  const message = `${ctx.path} does not support ${ctx.method}; it supports ${allow}.`;
  const error = new ProbityError('method_not_allowed', message, { headers: { Allow: allow } });
  const status = answerFailure(error, { ctx, request, errorFormat, logger });
  const { method, path } = ctx;
  logger.info('request', { request_id: request.requestId, method, path, status });
}
