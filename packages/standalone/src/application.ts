import { type Ids, type Logger, type Maintenance, silentMetrics, systemClock } from '@probity/core';
import {
  API_VERSION,
  createApplicationMiddleware,
  createEndpointMiddleware,
  createOpenApiDocument,
  type EndpointGroup,
  type ErrorFormat,
  generalErrors,
  type HealthCheck,
  openApiEndpoints,
  platformErrors,
  probeEndpoints,
  type RouterOptions,
  scimErrors,
  statusEndpoints,
} from '@probity/core/koa';
import { governanceEndpoints } from '@probity/governance/koa';
import { instanceEndpoints, platformEndpoints } from '@probity/platform/koa';
import { webhookEndpoints } from '@probity/webhooks/koa';
import Koa from 'koa';
import type { Instance } from './instance.ts';
import type { Prometheus } from './prometheus.ts';

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

/** The error format of a path (specification, "Errors"). */
export function errorFormatOf(path: string): ErrorFormat {
  if (/^\/v1(?:\/|$)/.test(path)) return platformErrors;
  if (/^\/scim\/v2(?:\/|$)/.test(path)) return scimErrors;
  return generalErrors;
}

/** Where the general API stands; maintenance closes what is below. */
const GENERAL_PREFIX = '/api/v1';

/** The Koa application with every interface at its place (contract, section 1). */
export function createApplication(options: ApplicationOptions): Koa {
  const { router, logger, maintenance } = options;
  const groups = createGroups(options);
  const application = createKoa(logger);
  application.use(outermost(options));
  for (const { prefix, errorFormat, endpoints } of groups) {
    const maintained = prefix === GENERAL_PREFIX ? { maintenance } : {};
    const settings = { ...router, ...maintained, prefix };
    application.use(createEndpointMiddleware(endpoints, errorFormat, settings));
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
      errorFormat: generalErrors,
      endpoints: [
        ...governanceEndpoints(services),
        ...webhookEndpoints(services),
        ...instanceEndpoints(services.instances),
      ],
    },
    { prefix: '/v1', errorFormat: platformErrors, endpoints: platformEndpoints(services) },
    { prefix: '/api', errorFormat: generalErrors, endpoints: statusEndpoints(checks, maintenance) },
    {
      prefix: '',
      errorFormat: generalErrors,
      endpoints: [...probeEndpoints(checks, now), ...openApiEndpoints(() => document())],
    },
  ];
  const document = rememberLast(baseUrl, (url) =>
    createOpenApiDocument({ title: 'Probity', version: API_VERSION, servers: [url] }, groups),
  );
  return groups;
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
  metrics: Pick<Prometheus, 'render'>,
  options: Omit<ApplicationOptions, 'services' | 'maintenance' | 'baseUrl'>,
): Koa {
  const { router, checks, logger } = options;
  const application = createKoa(logger);
  const probes = probeEndpoints(checks, () => router.clock?.now() ?? new Date());
  application.use(outermost(options));
  application.use(
    createEndpointMiddleware(probes, generalErrors, { ...router, metrics: silentMetrics }),
  );
  application.use(async (ctx, next) => {
    if (ctx.path !== '/metrics' || ctx.method !== 'GET') return next();
    const { contentType, body } = await metrics.render();
    ctx.set('Content-Type', contentType);
    ctx.body = body;
  });
  return application;
}

function outermost({ router, ids, logger }: Pick<ApplicationOptions, 'router' | 'ids' | 'logger'>) {
  const { clock = systemClock } = router;
  return createApplicationMiddleware({ errorFormatOf, clock, ids, logger });
}

function createKoa(logger: Logger): Koa {
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  return application;
}
