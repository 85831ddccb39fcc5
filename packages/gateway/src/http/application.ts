import type { Clock, Idempotency, Ids, Logger } from '@probity/core';
import { DEFAULT_RATE_LIMITS, silentMetrics } from '@probity/core';
import type { BodyBudget } from '@probity/core/internal';
import type { ErrorFormat, RequestHandler, RouterOptions } from '@probity/core/koa';
import {
  allowOrigins,
  createApplicationMiddleware,
  createEndpointMiddleware,
  generalErrors,
} from '@probity/core/koa';
import Koa from 'koa';
import type { GatewayConfig } from '../config/read-config.ts';
import { GATEWAY_ORGANIZATION, SIGNED_CALLER } from '../limits/client-key.ts';
import type { GatewayLimiter } from '../limits/gateway-limiter.ts';
import type { GatewayHealth } from '../monitoring/health.ts';
import type { Refusals } from '../monitoring/refusals.ts';
import type { Reloader } from '../reload/reloader.ts';
import type { Signatures } from '../signing/signatures.ts';
import type { HttpTraces } from '../tracing/http-spans.ts';
import { createHttpTraces } from '../tracing/http-spans.ts';
import type { EntranceParts, HttpEntrance } from './entrance.ts';
import type { EraseUser } from './operation-endpoints.ts';
import { eraseEndpoint, probeEndpoints, reloadEndpoint } from './operation-endpoints.ts';
import { isVerified, requireSignatures } from './signed-requests.ts';

/** Headers of every answer: the configuration that decided. */
export function headersOf(hash: string): Readonly<Record<string, string>> {
  return { 'X-Probity-Config-Hash': hash };
}

/** Headers of the gateway that pages of other origins may read. */
const EXPOSED = [
  ...['X-Probity-Config-Hash', 'X-Probity-Model', 'X-Probity-Unscanned'],
  ...['X-Upstream-Request-Id', 'Retry-After-Ms', 'X-Should-Retry', 'Mcp-Session-Id'],
];

/** Dependencies of the application. */
export interface ApplicationParts extends EntranceParts {
  readonly entrances: readonly HttpEntrance[];
  readonly limiter: GatewayLimiter;
  readonly bodyBudget: BodyBudget;
  readonly signatures: Signatures;
  readonly idempotency: Idempotency;
  readonly health: GatewayHealth;
  readonly refusals: Refusals;
  /** Null where reloads over HTTP are not enabled. */
  readonly reloader: Pick<Reloader, 'reload'> | null;
  /** Null where nothing is recorded. */
  readonly eraseUser: EraseUser | null;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Makes the application of one snapshot: a reload makes another, and requests in progress keep theirs. */
export function createGatewayApplication(parts: ApplicationParts): RequestHandler {
  const { scanner, entrances, keys, health, reloader, eraseUser, clock, ids, logger } = parts;
  const { config, hash } = scanner.snapshot;
  const errorFormat = errorFormatOf(config.rate_limiting.rate_limit_exceeded_status);
  const application = new Koa();
  application.on('error', (error: unknown) => {
    logger.warn('a response could not be sent', { error });
  });
  const traces = createTraces(parts);
  if (traces) application.use(traces.middleware);
  application.use(
    createApplicationMiddleware({
      errorFormatOf: () => errorFormat,
      clock,
      ids,
      logger: quiet(logger),
      headers: headersOf(hash),
    }),
  );
  for (const each of allowOrigins(config.security.cors_origins, EXPOSED)) application.use(each);
  const prefixes = entrances.filter(({ isSigned }) => isSigned).map(({ prefix }) => `${prefix}/`);
  const isSigned = (path: string) => prefixes.some((prefix) => path.startsWith(prefix));
  if (config.security.request_signing) {
    const { signatures } = parts;
    const limit = config.server.max_payload_size;
    application.use(
      requireSignatures({
        ...{ signatures, keys, limit, isSigned, bodyBudget: parts.bodyBudget },
        onRefused: (error) => parts.refusals.record({ error, principal: null }),
      }),
    );
  }
  const router = { ...routerOptions(parts), traceOf: traces?.traceOf };
  for (const { prefix, endpoints, errorFormat: own, isRepeatable } of entrances) {
    const format = own?.(errorFormat) ?? errorFormat;
    const idempotency = isRepeatable ? parts.idempotency : undefined;
    const options = { ...router, prefix, idempotency };
    application.use(createEndpointMiddleware(endpoints(parts), format, options));
  }
  const { path } = config.monitoring.health_check;
  const own = [
    ...probeEndpoints(path, health, () => clock.now()),
    ...(reloader ? [reloadEndpoint(reloader)] : []),
    ...(eraseUser ? [eraseEndpoint(eraseUser)] : []),
  ];
  application.use(createEndpointMiddleware(own, errorFormat, router));
  return application.callback();
}

/** Probes and the metrics are not traced. */
function createTraces({ reporting, scanner, entrances }: ApplicationParts): HttpTraces | null {
  if (reporting.tracing === null) return null;
  const prefixes = entrances.map(({ prefix }) => `${prefix}/`);
  return createHttpTraces(reporting.tracing, scanner.snapshot.hash, (path) =>
    prefixes.some((prefix) => path.startsWith(prefix)),
  );
}

function routerOptions(parts: ApplicationParts): RouterOptions {
  const { keys, limiter, bodyBudget, clock, ids, logger, refusals } = parts;
  const { per_client } = parts.scanner.snapshot.config.rate_limiting;
  const general = bucketAsWindow(per_client);
  return {
    authenticate({ token, raw }) {
      const organizationId = GATEWAY_ORGANIZATION;
      if (token === null) {
        if (!isVerified(raw)) return null;
        return { organizationId, memberId: SIGNED_CALLER, role: 'member' };
      }
      const key = keys.find(token);
      return key ? { organizationId, memberId: key.name, role: key.role } : null;
    },
    rateLimits: {
      limiter: { consume: (client) => limiter.consume(client) },
      limits: { ...DEFAULT_RATE_LIMITS, general },
    },
    bodyBudget,
    clock,
    ids,
    logger: quiet(logger),
    metrics: silentMetrics,
    onFailure: ({ operationId, ...failed }) =>
      refusals.record({ ...failed, operation: operationId }),
  };
}

/** A bucket as headers and refusals tell it: as many requests at once as it holds, in the time in which it fills. */
function bucketAsWindow({ requests_per_minute, burst_size }: PerClient) {
  const windowSeconds = Math.max(1, Math.ceil((burst_size * 60) / requests_per_minute));
  return { requests: burst_size, windowSeconds };
}

type PerClient = GatewayConfig['rate_limiting']['per_client'];

/** Scans have a record of their own; that of each request is for those who debug. */
function quiet(logger: Logger): Logger {
  return { ...logger, info: logger.debug };
}

/** The general format, with the status that the configuration gives to refused requests. */
function errorFormatOf(limitedStatus: number): ErrorFormat {
  const statusOf: ErrorFormat['status'] = (error) =>
    error.kind === 'rate_limited' ? limitedStatus : error.status;
  return {
    ...generalErrors,
    status: statusOf,
    body(error, requestId) {
      const body = generalErrors.body(error, requestId) as { error: Record<string, unknown> };
      return { error: { ...body.error, statusCode: statusOf(error) } };
    },
  };
}
