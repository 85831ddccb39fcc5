import type { Middleware } from 'koa';
import Koa from 'koa';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import { silentMetrics } from '../metrics.ts';
import type { Capability } from '../runtime/capability.ts';
import { createApplicationMiddleware } from './application.ts';
import { BETA_PREFIX, betaGroup } from './beta.ts';
import { callerEndpoints } from './caller.ts';
import { joinDocumentation } from './documentation.ts';
import type { ErrorFormat } from './error-format.ts';
import { generalErrors } from './error-format.ts';
import type { EndpointGroup } from './openapi.ts';
import { createOpenApiDocument, openApiEndpoints, rememberLast } from './openapi.ts';
import { createEndpointMiddleware } from './router.ts';
import type { RouterOptions } from './router-options.ts';
import { servicePageEndpoints } from './service-pages.ts';
import type { HealthCheck } from './status.ts';
import { API_INFO, probeEndpoints, STATUS_DOCUMENTATION, statusEndpoints } from './status.ts';

/** Dependencies of the endpoints of a process. */
export interface SurroundingsOptions {
  readonly router: RouterOptions;
  readonly checks: readonly HealthCheck[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Options of the application besides its capabilities. */
export interface ApplicationOptions extends SurroundingsOptions {
  readonly maintenance: Maintenance;
  /** Returns the base of absolute URLs; called when a document is generated. */
  readonly baseUrl: () => string;
}

/** The error format of a path: its group's, or the general API's when no group matches. */
export function createErrorFormatOf(
  groups: readonly EndpointGroup[],
): (path: string) => ErrorFormat {
  const formats = groups
    .filter(({ prefix }) => prefix !== '')
    .sort((left, right) => right.prefix.length - left.prefix.length);
  return (path) => {
    const group = formats.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    return group?.errorFormat ?? generalErrors;
  };
}

const GENERAL_PREFIX = '/api/v1';

/** Prefixes that maintenance closes. */
const MAINTAINED = [GENERAL_PREFIX, BETA_PREFIX];

/**
 * Creates the Koa application that serves these endpoints, each group under its prefix. `middleware` runs
 * before all of them, for unknown paths too.
 */
export function createApplication(
  groups: readonly EndpointGroup[],
  options: SurroundingsOptions &
    Pick<ApplicationOptions, 'maintenance'> & { readonly middleware?: readonly Middleware[] },
): Koa {
  const { router, logger, maintenance, middleware = [] } = options;
  const application = createKoa(logger);
  application.use(outermost(options, createErrorFormatOf(groups)));
  for (const each of middleware) application.use(each);
  for (const group of groups) {
    const { prefix, errorFormat, endpoints } = group;
    const maintained = MAINTAINED.includes(prefix) ? { maintenance } : {};
    const settings = { ...routerOptionsOf(group, router), ...maintained, prefix };
    application.use(createEndpointMiddleware(endpoints, errorFormat, settings));
  }
  return application;
}

/**
 * The options of a group's router. A group with an authentication of its own accepts no credentials of other
 * groups, tokens of limited scope among them.
 */
export function routerOptionsOf<Options extends RouterOptions>(
  { hasIdempotency = true, routing }: EndpointGroup,
  options: Options,
): Options {
  return {
    ...options,
    ...(hasIdempotency ? {} : { idempotency: undefined }),
    ...(routing?.authenticate ? { confirm: undefined, scopedTokens: undefined } : {}),
    ...routing,
  };
}

/** All endpoints of a program by prefix: those of its capabilities, status, probes and OpenAPI. */
export function createProgramGroups(
  capabilities: readonly Capability[],
  { maintenance, checks, clock, baseUrl }: Omit<ApplicationOptions, 'router' | 'ids' | 'logger'>,
): EndpointGroup[] {
  const caller = {
    prefix: GENERAL_PREFIX,
    errorFormat: generalErrors,
    endpoints: callerEndpoints(),
    documentation: STATUS_DOCUMENTATION,
  };
  const groups: EndpointGroup[] = [
    ...joinByPrefix([caller, ...capabilities.flatMap((capability) => capability.groups)]),
    {
      prefix: '/api',
      errorFormat: generalErrors,
      endpoints: statusEndpoints(checks, maintenance),
      documentation: STATUS_DOCUMENTATION,
    },
    {
      prefix: '',
      errorFormat: generalErrors,
      endpoints: [
        ...probeEndpoints(checks, () => clock.now()),
        ...openApiEndpoints(() => document()),
        ...servicePageEndpoints({ document: () => document(), baseUrl, health: '/health' }),
      ],
      documentation: STATUS_DOCUMENTATION,
    },
  ];
  const document = rememberLast(baseUrl, (url) =>
    createOpenApiDocument({ ...API_INFO, servers: [url] }, groups),
  );
  const general = groups.find(({ prefix }) => prefix === GENERAL_PREFIX) as EndpointGroup;
  return [...groups, betaGroup(general, baseUrl)];
}

/** One group per prefix, so that a request is looked up once. */
export function joinByPrefix(groups: readonly EndpointGroup[]): EndpointGroup[] {
  const joined = new Map<string, EndpointGroup>();
  for (const group of groups) {
    const before = joined.get(group.prefix);
    joined.set(group.prefix, {
      ...group,
      endpoints: [...(before?.endpoints ?? []), ...group.endpoints],
      documentation: joinDocumentation([before?.documentation, group.documentation]),
    });
  }
  return [...joined.values()];
}

/** Metrics as served on the metrics port. */
export interface RenderedMetrics {
  /** All metrics in a text format, and its media type. */
  render(): Promise<{ contentType: string; body: string }>;
}

/** The application of the metrics port: `/metrics`, and the probes for processes without an API. */
export function createMetricsApplication(
  { render }: RenderedMetrics,
  options: SurroundingsOptions,
): Koa {
  const { router, checks, clock, logger } = options;
  const application = createKoa(logger);
  const probes = probeEndpoints(checks, () => clock.now());
  application.use(outermost(options, () => generalErrors));
  application.use(
    createEndpointMiddleware(probes, generalErrors, { ...router, metrics: silentMetrics }),
  );
  application.use(async (ctx, next) => {
    if (ctx.path !== '/metrics' || ctx.method !== 'GET') return next();
    const { contentType, body } = await render();
    ctx.set('Content-Type', contentType);
    ctx.body = body;
  });
  return application;
}

function outermost(
  { clock, ids, logger }: SurroundingsOptions,
  errorFormatOf: (path: string) => ErrorFormat,
) {
  return createApplicationMiddleware({ errorFormatOf, clock, ids, logger });
}

function createKoa(logger: Logger): Koa {
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  return application;
}
