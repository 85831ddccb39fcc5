import type { IncomingMessage } from 'node:http';
import type { Middleware, Next } from 'koa';
import Koa from 'koa';
import { ProbityError } from '../errors.ts';
import type { HostHandlers, KoaMiddleware, NodeHandler } from '../probity/handlers.ts';
import type { Capability } from '../runtime/capability.ts';
import type { Database } from '../storage/database.ts';
import { callerEndpoints } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { generalErrors } from './error-format.ts';
import { answerFailure } from './errors.ts';
import type { EndpointGroup } from './openapi.ts';
import { createOpenApiDocument, openApiEndpoints } from './openapi.ts';
import type { Json } from './openapi-schemas.ts';
import { joinByPrefix, routerOptionsOf } from './program.ts';
import { isAnswered, stateOf } from './request-state.ts';
import type { Dispatch } from './router.ts';
import { createDispatch } from './router.ts';
import type { RouterOptions } from './router-options.ts';
import { toKit } from './router-options.ts';
import { servicePageEndpoints } from './service-pages.ts';
import { API_INFO, STATUS_DOCUMENTATION, statusEndpoints } from './status.ts';

/** Options of the handlers. */
export interface HostOptions extends Omit<RouterOptions, 'prefix'> {
  /** The path of the mount; empty for the root. */
  readonly mount: string;
  /** Whether a host that removes another start of the path than the mount is served too. */
  readonly isMountAssumed: boolean;
}

/**
 * Serves groups of endpoints in a host's application. The host's framework may remove the path of
 * the mount, as Express does, or leave it, as Koa does; every path that is no endpoint's goes on to
 * the host.
 */
export function createHostHandlers(
  groups: readonly EndpointGroup[],
  options: HostOptions,
): HostHandlers {
  const middleware = createHostMiddleware(groups, options);
  return { koa: middleware as KoaMiddleware, node: createNodeHandler(middleware, options) };
}

function createHostMiddleware(
  groups: readonly EndpointGroup[],
  { mount, isMountAssumed, ...router }: HostOptions,
): Middleware {
  const dispatches = groups.map((group) => ({
    prefix: group.prefix,
    onlyBelowMount: group.onlyBelowMount ?? false,
    dispatch: createDispatch(group.endpoints, group.errorFormat, routerOptionsOf(group, router)),
  }));
  return (ctx, next) => {
    const isRemoved = isMountAssumed ? isShortened(ctx) : wasRemoved(mount, ctx.req);
    const found = below(mount, ctx.path, isRemoved);
    if (found === undefined) return next();
    const isBelowMount = found.base !== '' || isShortened(ctx);
    return dispatchIn(dispatches, 0, { ctx, next, isBelowMount, ...found });
  };
}

interface GroupDispatch {
  readonly prefix: string;
  readonly onlyBelowMount: boolean;
  readonly dispatch: Dispatch;
}

interface HostRequest {
  readonly ctx: Koa.Context;
  readonly next: Next;
  readonly base: string;
  readonly rest: string;
  /** Whether the path is known to be below the mount. */
  readonly isBelowMount: boolean;
}

/** Tries the groups in order; what none serves goes on to the host. */
function dispatchIn(
  groups: readonly GroupDispatch[],
  index: number,
  request: HostRequest,
): Promise<void> {
  const group = groups[index];
  const { ctx, next, base, rest, isBelowMount } = request;
  if (!group) return next();
  const onward = () => dispatchIn(groups, index + 1, request);
  if (group.onlyBelowMount && !isBelowMount) return onward();
  if (rest === group.prefix) return group.dispatch(ctx, onward, base + group.prefix, '/');
  if (!rest.startsWith(`${group.prefix}/`)) return onward();
  return group.dispatch(ctx, onward, base + group.prefix, rest.slice(group.prefix.length));
}

/**
 * The path below the mount, and the mount where it is part of the path; undefined for every other
 * path, unless the host has removed the mount.
 */
function below(
  mount: string,
  path: string,
  isRemoved: boolean,
): { readonly base: string; readonly rest: string } | undefined {
  if (mount !== '' && path.startsWith(`${mount}/`)) {
    return { base: mount, rest: path.slice(mount.length) };
  }
  if (path === mount) return { base: mount, rest: '/' };
  return isRemoved || mount === '' ? { base: '', rest: path } : undefined;
}

/** Whether the host's framework has removed the mount from the URL. */
function wasRemoved(mount: string, request: IncomingMessage): boolean {
  const { originalUrl, url } = request as IncomingMessage & { readonly originalUrl?: unknown };
  return (
    typeof originalUrl === 'string' && originalUrl !== url && originalUrl.startsWith(`${mount}/`)
  );
}

/** Whether the host's framework has removed the start of the path, whatever it was. */
function isShortened({ req, url, originalUrl }: Koa.Context): boolean {
  const { originalUrl: ofExpress } = req as IncomingMessage & { readonly originalUrl?: unknown };
  return [originalUrl, ofExpress].some((full) => typeof full === 'string' && full !== url);
}

function createNodeHandler(middleware: Middleware, options: RouterOptions): NodeHandler {
  const { ids, logger } = toKit(options, generalErrors);
  const app = new Koa();
  // Without a listener, Koa prints to the console that a client has gone.
  app.on('error', (error: unknown) => logger.warn('a response could not be sent', { error }));
  app.use(async (ctx) => {
    await middleware(ctx, async () => undefined);
    if (isAnswered(ctx)) return;
    const { onward } = ctx.req as PassableRequest;
    if (onward) {
      ctx.respond = false;
      // Koa has set 404.
      ctx.res.statusCode = 200;
      onward();
      return;
    }
    const error = new ProbityError('not_found', `There is nothing at ${ctx.path.slice(0, 200)}.`);
    answerFailure(error, { ctx, request: stateOf(ctx, ids), errorFormat: generalErrors, logger });
  });
  const handle = app.callback();
  return (request, response, next) => {
    (request as PassableRequest).onward = next;
    void handle(request, response);
  };
}

interface PassableRequest extends IncomingMessage {
  onward?: ((error?: unknown) => void) | undefined;
}

/** The endpoints of capabilities, with those of the caller, of the status and of the OpenAPI document. */
export function createHostGroups(
  capabilities: readonly Capability[],
  { database, baseUrl, docs = true }: HostGroupsOptions,
): { readonly groups: EndpointGroup[]; document(): Json } {
  const checks = [{ name: 'database', check: () => database.ping() }];
  const own: Endpoint[] = [
    ...callerEndpoints(),
    ...statusEndpoints(checks),
    ...(docs ? openApiEndpoints(() => document()) : []),
  ];
  const pages = servicePageEndpoints({
    document: () => document(),
    baseUrl: () => baseUrl,
    health: '/status',
  });
  const shared = { prefix: '', errorFormat: generalErrors, documentation: STATUS_DOCUMENTATION };
  const groups = joinByPrefix([
    ...capabilities.flatMap((capability) => capability.groups),
    { ...shared, endpoints: own },
  ]);
  if (docs) groups.push({ ...shared, endpoints: pages, onlyBelowMount: true });
  let made: Json | undefined;
  const document = () => {
    made ??= createOpenApiDocument({ ...API_INFO, servers: [baseUrl] }, groups);
    return made;
  };
  return { groups, document };
}

interface HostGroupsOptions {
  readonly database: Database;
  /** The base of the endpoints: origin and mount. */
  readonly baseUrl: string;
  /** See `ProbityOptions`. */
  readonly docs?: boolean | undefined;
}
