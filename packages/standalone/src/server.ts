import {
  createIds,
  createLifecycle,
  type Lifecycle,
  type LifecyclePart,
  systemClock,
} from '@probity/core';
import { createHttpServer, type HttpServer, type RouterOptions } from '@probity/core/koa';
import { createSubscriptionRenewer } from '@probity/platform';
import { createApplication, createMetricsApplication, errorFormatOf } from './application.ts';
import { toReachable } from './base-url.ts';
import { greetOnFirstRun } from './first-run.ts';
import { createInstance, type Instance, type InstanceDependencies } from './instance.ts';
import { createMetrics } from './metrics.ts';
import { portFailure } from './ports.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** What a server is built on. */
export interface ServerDependencies extends Omit<InstanceDependencies, 'baseUrl' | 'metrics'> {
  /** Writes to the person at the terminal, not to the log. */
  readonly print: (text: string) => void;
}

/** The whole program: what serves requests, what works in the background, metrics and probes. */
export async function createServer(dependencies: ServerDependencies): Promise<Lifecycle> {
  const { config, database, logger } = dependencies;
  const address = { baseUrl: config.publicUrl };
  const baseUrl = () => address.baseUrl ?? `http://${config.host}:${config.port}`;
  const metrics = createMetrics(database);
  const instance = createInstance({ ...dependencies, baseUrl, metrics: metrics.metrics });
  const ids = createIds();
  const rateLimiter = await createRateLimiter(config.redisUrl, { ids, logger });
  const checks = [{ name: 'database', check: () => database.ping() }];
  const router: RouterOptions = {
    authenticate: instance.authenticate,
    idempotency: instance.idempotency,
    meter: instance.quotaMeter,
    rateLimits: { limiter: rateLimiter.limiter, limits: config.rateLimits },
    trustedProxies: config.trustedProxies,
    metrics: metrics.metrics,
    clock: systemClock,
    logger,
    ids,
    checkReplies: config.checkReplies,
  };
  const { services, maintenance } = instance;
  const application = createApplication({
    services,
    maintenance,
    router,
    checks,
    ids,
    logger,
    baseUrl,
  });
  const api = createHttpServer({
    handler: application.callback(),
    host: config.host,
    port: config.port,
    errorFormatOf,
    ids,
    logger,
  });
  const probes = createMetricsApplication(metrics, { router, checks, ids, logger });
  const parts: LifecyclePart[] = [
    { name: 'database', start: async () => undefined, stop: () => database.close() },
    ...rateLimiter.parts,
    { name: 'metrics', ...metricsPart(dependencies, probes.callback()) },
  ];
  if (config.role !== 'api') {
    const { subscriptions } = services;
    const renewer = createSubscriptionRenewer({ subscriptions, clock: systemClock, logger });
    parts.push({ ...renewer, name: 'subscription renewer' });
    parts.push(...instance.background);
  }
  if (config.role !== 'worker') {
    parts.push({ ...instance.apiKeyUsage, name: 'API key usage' });
    parts.push({ ...instance.quotaMeter, name: 'quota meter' });
    parts.push({ name: 'api', ...apiPart(dependencies, instance, api, address) });
  }
  return createLifecycle(parts, logger);
}

function apiPart(
  { config, logger, print }: ServerDependencies,
  { setUp }: Instance,
  server: HttpServer,
  address: { baseUrl: string | null },
) {
  return {
    async start() {
      const url = await server.start().catch((error: unknown) => {
        throw portFailure(config.host, config.port, error);
      });
      address.baseUrl ??= toReachable(url);
      if (config.database.kind === 'sqlite') await greetOnFirstRun(setUp, address.baseUrl, print);
      logger.info('listening', { url });
    },
    stop: () => server.stop(),
  };
}

function metricsPart(
  { config, logger }: ServerDependencies,
  handler: Parameters<typeof createHttpServer>[0]['handler'],
) {
  const { host, metricsPort: port } = config;
  const server =
    port === null ? null : createHttpServer({ handler, host, port, errorFormatOf, logger });
  return {
    async start() {
      try {
        const url = await server?.start();
        if (url) logger.info('metrics listening', { url: `${url}/metrics` });
      } catch (error) {
        const failure = portFailure(host, port ?? 0, error);
        // Nobody chose the default port: a second instance on the machine does without metrics.
        if (config.isMetricsPortChosen) throw failure;
        logger.warn(`${failure.message}; PROBITY_METRICS_PORT sets another, this process has none`);
      }
    },
    stop: async () => server?.stop(),
  };
}
