import type { Ids, Logger, Maintenance } from '@probity/core';
import {
  API_VERSION,
  answerUnknownPaths,
  createEndpointRouter,
  createOpenApiDocument,
  type EndpointGroup,
  type ErrorDialect,
  generalDialect,
  type HealthCheck,
  openApiEndpoints,
  platformDialect,
  probeEndpoints,
  type RouterOptions,
  scimDialect,
  statusEndpoints,
} from '@probity/core/koa';
import { governanceEndpoints } from '@probity/governance/koa';
import { instanceEndpoints, platformEndpoints } from '@probity/platform/koa';
import { webhookEndpoints } from '@probity/webhooks/koa';
import Koa from 'koa';
import type { Instance } from './instance.ts';
import type { Metrics } from './metrics.ts';

/** What the application is made of. */
export interface ApplicationOptions {
  readonly services: Instance['services'];
  readonly maintenance: Maintenance;
  readonly router: RouterOptions;
  readonly checks: readonly HealthCheck[];
  readonly ids: Ids;
  readonly logger: Logger;
  /** Base of absolute addresses, asked for when a document is made. */
  readonly baseUrl: () => string;
}

/** The error form of a path (specification, "Errors"). */
export function dialectOf(path: string): ErrorDialect {
  if (/^\/v1(?:\/|$)/.test(path)) return platformDialect;
  if (/^\/scim\/v2(?:\/|$)/.test(path)) return scimDialect;
  return generalDialect;
}

/** Where the general API stands; maintenance closes what is below. */
const GENERAL_PREFIX = '/api/v1';

/** The Koa application with every interface at its place (contract, section 1). */
export function createApplication(options: ApplicationOptions): Koa {
  const { router, ids, logger, maintenance } = options;
  const groups = createGroups(options);
  const application = createKoa(logger);
  application.use(answerUnknownPaths({ dialectOf, ids, logger }));
  for (const { prefix, dialect, endpoints } of groups) {
    const maintained = prefix === GENERAL_PREFIX ? { maintenance } : {};
    application.use(createEndpointRouter(endpoints, dialect, { ...router, ...maintained, prefix }));
  }
  return application;
}

function createGroups({
  services,
  maintenance,
  checks,
  baseUrl,
  router,
}: ApplicationOptions): EndpointGroup[] {
  const now = () => router.clock?.now() ?? new Date();
  const groups: EndpointGroup[] = [
    {
      prefix: GENERAL_PREFIX,
      dialect: generalDialect,
      endpoints: [
        ...governanceEndpoints(services),
        ...webhookEndpoints(services),
        ...instanceEndpoints(services.instances),
      ],
    },
    { prefix: '/v1', dialect: platformDialect, endpoints: platformEndpoints(services) },
    { prefix: '/api', dialect: generalDialect, endpoints: statusEndpoints(checks, maintenance) },
    {
      prefix: '',
      dialect: generalDialect,
      endpoints: [...probeEndpoints(checks, now), ...openApiEndpoints(() => document())],
    },
  ];
  const document = () =>
    createOpenApiDocument({ title: 'Probity', version: API_VERSION, servers: [baseUrl()] }, groups);
  return groups;
}

/** The application of the metrics port: `/metrics`, and the probes for processes without an API. */
export function createMetricsApplication(
  metrics: Metrics,
  { router, checks, ids, logger }: Omit<ApplicationOptions, 'services' | 'maintenance' | 'baseUrl'>,
): Koa {
  const application = createKoa(logger);
  const probes = probeEndpoints(checks, () => router.clock?.now() ?? new Date());
  application.use(answerUnknownPaths({ dialectOf, ids, logger }));
  application.use(
    createEndpointRouter(probes, generalDialect, { ...router, observe: () => undefined }),
  );
  application.use(async (ctx, next) => {
    if (ctx.path !== '/metrics' || ctx.method !== 'GET') return next();
    const { contentType, body } = await metrics.render();
    ctx.set('Content-Type', contentType);
    ctx.body = body;
  });
  return application;
}

function createKoa(logger: Logger): Koa {
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  return application;
}
