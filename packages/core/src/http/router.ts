import Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { CallContext, Principal } from '../context.ts';
import { notFound, ProbityError, toProbityError, validationError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { silentLogger } from '../logger.ts';
import type { CidrList } from '../outbound/networks.ts';
import { parseCidrList } from '../outbound/networks.ts';
import { hasPermission } from '../permissions.ts';
import type { Authenticate } from '../platform/authentication.ts';
import { createMemoryRateLimiter, DEFAULT_RATE_LIMITS } from '../rate-limit.ts';
import { hasBody, readJson } from './body.ts';
import { clientAddress } from './client-address.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint, Reply } from './endpoint.ts';
import { DEFAULT_BODY_LIMIT } from './endpoint.ts';
import type { RateLimitOptions } from './rate-limits.ts';
import { limitRate } from './rate-limits.ts';
import { openRequest } from './request-state.ts';
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
  /** Default: none. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Called once for every answer. */
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

type Kit = Required<RouterOptions> & { readonly dialect: ErrorDialect };

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
  const router = new Router({ prefix: kit.prefix, strict: true });
  for (const declaration of endpoints) {
    const path = declaration.path.replace(/\{(\w+)\}/g, ':$1');
    router.register(path, [declaration.method], createHandler(declaration, kit));
  }
  const routes = router.routes() as unknown as Middleware;
  const allowed = methodsByPath(router, endpoints);
  return async (ctx, next) => {
    await routes(ctx, () => answerUnmatched(ctx, next, allowed, kit));
  };
}

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

function createHandler(declaration: Endpoint, kit: Kit): Middleware {
  const { observe, clock, logger } = kit;
  return async (ctx) => {
    const startedAtMs = clock.monotonicMs();
    const requestId = openRequest(ctx, kit.ids);
    try {
      send(ctx, await serve(ctx, declaration, kit, requestId), kit.dialect);
    } catch (thrown) {
      sendError(ctx, thrown, kit, requestId);
    }
    const durationMs = clock.monotonicMs() - startedAtMs;
    const { method, path } = declaration;
    observe({ method, path: kit.prefix + path, status: ctx.status, durationMs });
    logger.info('request', {
      request_id: requestId,
      method,
      path: kit.prefix + path,
      status: ctx.status,
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
  const principal = await admit(ctx, declaration, kit);
  const context = createContext(ctx, kit, principal, requestId);
  const { params, query, body } = declaration;
  return declaration.handler({
    context,
    params: params && validate(params, readParams(ctx)),
    query: validateQuery(query, ctx.query),
    body: body && validate(body, await readBody(ctx, declaration)),
  });
}

/** The signal is made when somebody asks for it, as most handlers never do. */
function createContext(
  ctx: Context,
  { trustedProxies }: Kit,
  principal: Principal,
  requestId: string,
): CallContext {
  let gone: AbortController | undefined;
  return {
    principal,
    requestId,
    address: clientAddress(ctx.req, trustedProxies),
    get signal() {
      if (gone) return gone.signal;
      const controller = new AbortController();
      gone = controller;
      ctx.res.once('close', () => {
        if (!ctx.res.writableFinished) controller.abort();
      });
      return controller.signal;
    },
  };
}

/** Authentication, rate limit and permission, from the headers alone. */
async function admit(ctx: Context, declaration: Endpoint, kit: Kit): Promise<Principal> {
  const { permission, rateLimit } = declaration;
  if (permission === 'public') return ANONYMOUS;
  const principal = await authenticate(ctx, kit);
  if (rateLimit !== 'none') {
    await limitRate(ctx, principal, rateLimit, kit.rateLimits, kit.clock);
  }
  // An organization that is not the caller's does not exist for the caller, whatever its role.
  const organizationId = (ctx.params as Record<string, string | undefined>).org_id;
  if (organizationId !== undefined && organizationId !== principal.organizationId) {
    throw notFound('organization');
  }
  if (!hasPermission(principal.role, permission)) {
    throw new ProbityError(
      'forbidden',
      `This operation needs the permission ${permission}, which the role ${principal.role} does not have.`,
    );
  }
  return principal;
}

/** Stands for nobody where an endpoint is public. */
const ANONYMOUS: Principal = Object.freeze({
  organizationId: '',
  memberId: '',
  keyId: '',
  role: 'viewer',
  plan: 'free',
});

const BEARER = /^bearer +([^\s]+) *$/i;

async function authenticate(ctx: Context, { authenticate, dialect }: Kit): Promise<Principal> {
  const header = ctx.get('Authorization');
  const token = BEARER.exec(header)?.[1];
  const principal = token ? await authenticate(token) : null;
  if (principal) return principal;
  const challenge = `Bearer realm="probity-${dialect.name}"`;
  throw new ProbityError(
    'unauthorized',
    header === '' ? 'The request needs the header Authorization: Bearer <API key>.' : undefined,
    {
      headers: { 'WWW-Authenticate': token ? `${challenge}, error="invalid_token"` : challenge },
    },
  );
}

/** No identifier holds U+0000, which PostgreSQL cannot even compare with: nothing is there. */
function readParams(ctx: Context): Record<string, string> {
  const params = ctx.params as Record<string, string>;
  if (Object.values(params).some((value) => value.includes('\0'))) throw notFound('resource');
  return params;
}

function validateQuery(schema: Endpoint['query'], query: Context['query']): unknown {
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) {
    throw new ProbityError('invalid_request', `The parameter ${repeated} is given twice.`, {
      details: [{ field: repeated, message: 'must be given once' }],
    });
  }
  const refused = Object.keys(query).find((name) => (name + query[name]).includes('\0'));
  if (refused !== undefined) {
    throw validationError({
      field: refused.replaceAll('\0', '\uFFFD'),
      message: 'must not contain U+0000',
    });
  }
  return schema && validate(schema, { ...query });
}

function readBody(ctx: Context, { bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint): Promise<unknown> {
  return readJson(ctx.req, ctx.res, bodyLimit);
}

function send(ctx: Context, reply: Reply, dialect: ErrorDialect): void {
  if (reply.headers) ctx.set(reply.headers);
  ctx.status = reply.status;
  if (reply.body === undefined) {
    ctx.body = null;
    ctx.status = reply.status;
    return;
  }
  ctx.body = JSON.stringify(reply.body);
  ctx.type = dialect.contentType;
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

interface PathMethods {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

function methodsByPath(router: Router, endpoints: readonly Endpoint[]): PathMethods[] {
  const byPath = new Map<string, PathMethods>();
  router.stack.forEach((layer, index) => {
    const methods = byPath.get(String(layer.regexp))?.methods ?? new Set<string>();
    methods.add(endpoints[index]?.method ?? '');
    byPath.set(String(layer.regexp), { pattern: layer.regexp, methods });
  });
  return [...byPath.values()];
}

/** A known path with another method is answered here (RFC 9110, section 15.5.6); others go on. */
async function answerUnmatched(
  ctx: Context,
  next: Next,
  paths: readonly PathMethods[],
  kit: Kit,
): Promise<void> {
  const known = paths.filter(({ pattern }) => pattern.test(ctx.path));
  if (known.length === 0) return next();
  const methods = new Set(known.flatMap(({ methods }) => [...methods]));
  if (methods.has('GET')) methods.add('HEAD');
  const allow = [...methods].sort().join(', ');
  const requestId = openRequest(ctx, kit.ids);
  const message = `${ctx.path} does not support ${ctx.method}; it supports ${allow}.`;
  const error = new ProbityError('method_not_allowed', message, { headers: { Allow: allow } });
  sendError(ctx, error, kit, requestId);
}
