import type { Lifecycle, LifecyclePart, Logger, SecretBox } from '@probity/core';
import {
  createIdempotency,
  createLifecycle,
  createMaintenance,
  createRuntime,
} from '@probity/core';
import type { HttpServer, RouterOptions } from '@probity/core/koa';
import {
  allowOrigins,
  createApplication,
  createErrorFormatOf,
  createHttpServer,
  createMetricsApplication,
  createProgramGroups,
  createScopedTokens,
  generalErrors,
} from '@probity/core/koa';
import { createBackground, exposeMetrics } from '@probity/core/program';
import { createPrometheus } from '@probity/core/prometheus';
import type { SqlDatabase } from '@probity/core/sql';
import { createSqlMaintenanceStorage } from '@probity/core/sql';
import type { PlatformCapability } from '@probity/platform/koa';
import { toReachable } from './base-url.ts';
import type { Capabilities } from './capabilities.ts';
import { createCapabilities } from './capabilities.ts';
import type { ServerConfig } from './config.ts';
import { dashboardPages } from './dashboard-pages.ts';
import { greetOnFirstRun } from './first-run.ts';
import { linkPages } from './link-pages.ts';
import { portFailure } from './ports.ts';
import type { OwnedRateLimiter } from './rate-limiter.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { createVectors } from './vectors.ts';

/** What a server is built on. */
export interface ServerDependencies {
  readonly config: ServerConfig;
  readonly database: SqlDatabase;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  /** Writes to the person at the terminal, not to the log. */
  readonly tell: (text: string) => void;
}

/** The whole program: what serves requests, what works in the background, metrics and probes. */
export async function createServer(dependencies: ServerDependencies): Promise<Lifecycle> {
  const { config, database, secretBox, logger } = dependencies;
  const address = { baseUrl: config.publicUrl };
  const baseUrl = () => address.baseUrl ?? `http://${config.host}:${config.port}`;
  const prometheus = createPrometheus();
  const runtime = createRuntime({ database, secretBox, logger, metrics: prometheus.metrics });
  const { clock, ids } = runtime;
  const knowledge = await createVectors(config, logger);
  const capabilities = createCapabilities({ runtime, database, config, knowledge, baseUrl });
  exposeMetrics(prometheus, runtime, capabilities.all);
  const rateLimiter = await createRateLimiter(config.redisUrl, { ids, logger });
  const router: RouterOptions = {
    ...routerOptions(dependencies, capabilities, rateLimiter),
    scopedTokens: createScopedTokens({ database, clock, issuers: capabilities.platform.issuers }),
    idempotency: createIdempotency({ database, clock, secretBox }),
    metrics: prometheus.metrics,
    clock,
    ids,
  };
  const checks = [{ name: 'database', check: () => database.ping() }];
  const maintenance = createMaintenance({ storage: createSqlMaintenanceStorage(database), clock });
  const shared = { router, checks, clock, ids, logger };
  const groups = [
    ...createProgramGroups(capabilities.all, { ...shared, maintenance, baseUrl }),
    linkPages(),
  ];
  const application = createApplication(groups, {
    ...shared,
    maintenance,
    middleware: [...allowOrigins(config.corsOrigins), dashboardPages()],
  });
  const errorFormatOf = createErrorFormatOf(groups);
  const { host, port, trustedProxies, connectionLimits: limits } = config;
  const handler = application.callback();
  const api = createHttpServer({
    ...{ handler, host, port, errorFormatOf, ids, logger },
    limits,
    trustedProxies,
  });
  const probes = createMetricsApplication(prometheus, shared);
  const parts: LifecyclePart[] = [
    { name: 'database', start: async () => undefined, stop: () => database.close() },
    ...rateLimiter.parts,
    knowledge.part,
    ...scannerParts(config, capabilities),
    { name: 'metrics', ...metricsPart(dependencies, probes.callback()) },
  ];
  if (config.role !== 'api')
    parts.push(...createBackground(runtime, capabilities.all, config.retention));
  if (config.role !== 'worker') {
    parts.push(...capabilities.all.flatMap(({ serving = [] }) => serving));
    parts.push({ name: 'api', ...apiPart(dependencies, capabilities.platform, api, address) });
  }
  return createLifecycle(parts, logger);
}

/** Loads local models before the server listens, where there are any. */
function scannerParts({ pipeline }: ServerConfig, { scanners }: Capabilities): LifecyclePart[] {
  if (pipeline === null || Object.keys(pipeline.backends).length === 0) return [];
  const start = () =>
    scanners.preload().catch((error: unknown) => {
      throw new Error(`PROBITY_PIPELINE_CONFIG: ${(error as Error).message}`);
    });
  return [{ name: 'scanners', start, stop: async () => undefined }];
}

function routerOptions(
  { config, logger }: ServerDependencies,
  { platform }: Capabilities,
  { limiter }: OwnedRateLimiter,
): RouterOptions {
  return {
    authenticate: platform.authenticate,
    confirm: platform.confirm,
    meter: platform.meter,
    rateLimits: { limiter, limits: config.rateLimits },
    trustedProxies: config.trustedProxies,
    checkReplies: config.checkReplies,
    logger,
  };
}

const NO_ORGANIZATION =
  'the database has no organization yet, so no API key works: run probity-server bootstrap ' +
  '--organization NAME --owner-email EMAIL with the same database';

function apiPart(
  { config, logger, tell }: ServerDependencies,
  platform: PlatformCapability,
  server: HttpServer,
  address: { baseUrl: string | null },
) {
  return {
    async start() {
      const url = await server.start().catch((error: unknown) => {
        throw portFailure(config.host, config.port, error);
      });
      address.baseUrl ??= toReachable(url);
      const isFirst = config.database.kind === 'sqlite' && config.firstStart;
      if (isFirst) await greetOnFirstRun(platform, address.baseUrl, tell);
      else if (await platform.isEmpty()) logger.warn(NO_ORGANIZATION);
      logger.info('listening', { url });
    },
    stop: () => server.stop(),
  };
}

function metricsPart(
  { config, logger }: ServerDependencies,
  handler: Parameters<typeof createHttpServer>[0]['handler'],
) {
  const { metricsHost: host, metricsPort: port } = config;
  const server =
    port === null
      ? null
      : createHttpServer({ handler, host, port, errorFormatOf: () => generalErrors, logger });
  return {
    async start() {
      try {
        const url = await server?.start();
        if (url) logger.info('metrics listening', { url: `${url}/metrics` });
      } catch (error) {
        const failure = portFailure(host, port ?? 0, error);
        // Nobody chose the default port: a second instance on the machine does without metrics.
        if (config.isMetricsPortChosen) throw failure;
        logger.warn(
          `${failure.message}; this process serves no metrics (PROBITY_METRICS_PORT sets another port)`,
        );
      }
    },
    stop: async () => server?.stop(),
  };
}
