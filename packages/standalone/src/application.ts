import type { Capability, Clock, Ids, Logger, Maintenance } from '@probity/core';
import { silentMetrics } from '@probity/core';
import type { EndpointGroup, ErrorFormat, HealthCheck, RouterOptions } from '@probity/core/koa';
import {
  API_VERSION,
  createApplicationMiddleware,
  createEndpointMiddleware,
  createOpenApiDocument,
  generalErrors,
  openApiEndpoints,
  platformErrors,
  probeEndpoints,
  scimErrors,
  statusEndpoints,
} from '@probity/core/koa';
import Koa from 'koa';
import type { Prometheus } from './prometheus.ts';

/** What surrounds the endpoints of a process. */
export interface SurroundingsOptions {
  readonly router: RouterOptions;
  readonly checks: readonly HealthCheck[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What the application is made of besides its capabilities. */
export interface ApplicationOptions extends SurroundingsOptions {
  readonly maintenance: Maintenance;
  /** Base of absolute addresses, asked for when a document is made. */
  readonly baseUrl: () => string;
}

/** The error format of a path (specification, "Errors"). */
export function errorFormatOf(path: string): ErrorFormat {
  if (/^\/v1(?:\/|$)/.test(path)) return platformErrors;
  if (/^\/scim\/v2(?:\/|$)/.test(path)) return scimErrors;
  return generalErrors;
}

/** Where the general API stands; maintenance closes what is below. */
const GENERAL_PREFIX = '/api/v1';

/** The Koa application with every interface at its place (contract, section 1). */
export function createApplication(
  capabilities: readonly Capability[],
  options: ApplicationOptions,
): Koa {
  const { router, logger, maintenance } = options;
  const application = createKoa(logger);
  application.use(outermost(options));
  for (const { prefix, errorFormat, endpoints } of createGroups(capabilities, options)) {
    const maintained = prefix === GENERAL_PREFIX ? { maintenance } : {};
    const settings = { ...router, ...maintained, prefix };
    application.use(createEndpointMiddleware(endpoints, errorFormat, settings));
  }
  return application;
}

/** All endpoints of the server by prefix: those of its capabilities and its own. */
export function createGroups(
  capabilities: readonly Capability[],
  { maintenance, checks, clock, baseUrl }: Omit<ApplicationOptions, 'router' | 'ids' | 'logger'>,
): EndpointGroup[] {
  const groups: EndpointGroup[] = [
    ...joinByPrefix(capabilities.flatMap((capability) => capability.groups)),
    { prefix: '/api', errorFormat: generalErrors, endpoints: statusEndpoints(checks, maintenance) },
    {
      prefix: '',
      errorFormat: generalErrors,
      endpoints: [
        ...probeEndpoints(checks, () => clock.now()),
        ...openApiEndpoints(() => document()),
      ],
    },
  ];
  const document = rememberLast(baseUrl, (url) =>
    createOpenApiDocument({ title: 'Probity', version: API_VERSION, servers: [url] }, groups),
  );
  return groups;
}

/** One group for each prefix, so that a request is looked up once. */
function joinByPrefix(groups: readonly EndpointGroup[]): EndpointGroup[] {
  const joined = new Map<string, EndpointGroup>();
  for (const group of groups) {
    const before = joined.get(group.prefix)?.endpoints ?? [];
    joined.set(group.prefix, { ...group, endpoints: [...before, ...group.endpoints] });
  }
  return [...joined.values()];
}

/** What `make` gives for the present key, made again only when the key has changed. */
function rememberLast<Value>(key: () => string, make: (key: string) => Value): () => Value {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return () => {
    const present = key();
    if (last?.key !== present) last = { key: present, value: make(present) };
    return last.value;
  };
}

/** The application of the metrics port: `/metrics`, and the probes for processes without an API. */
export function createMetricsApplication(
  { render }: Pick<Prometheus, 'render'>,
  options: SurroundingsOptions,
): Koa {
  const { router, checks, clock, logger } = options;
  const application = createKoa(logger);
  const probes = probeEndpoints(checks, () => clock.now());
  application.use(outermost(options));
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

function outermost({ clock, ids, logger }: SurroundingsOptions) {
  return createApplicationMiddleware({ errorFormatOf, clock, ids, logger });
}

function createKoa(logger: Logger): Koa {
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  return application;
}
