import type { RequestHandler } from '@probity/core/koa';
import { createHttpServer, generalErrors } from '@probity/core/koa';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayAddresses } from '../gateway.ts';
import { createGrpcListener } from '../grpc/server.ts';
import type { Current, Surroundings } from '../serving.ts';
import { servingOf } from '../serving.ts';
import { demandCertificates, onlyProbes } from '../tls/client-certificates.ts';
import { headersOf } from './application.ts';
import { CONNECTION_LIMITS, named } from './listening.ts';
import { createMetricsApplication } from './metrics-application.ts';

/** The listeners of gRPC, HTTP and the metrics. */
export interface Listeners {
  start(): Promise<GatewayAddresses>;
  /** Resolves when the requests in progress are answered. */
  stop(): Promise<void>;
}

/** By then all processes of a gateway that ends have stopped to listen. */
const ANNOUNCE_AFTER_MS = 100;

/**
 * Makes the listeners; each request is served under the snapshot that is in force when it comes.
 *
 * @param hasMetrics whether the metrics are served here; with several processes the primary does
 */
export function createListeners(
  config: GatewayConfig,
  parts: Surroundings & { readonly current: Current },
  hasMetrics: boolean,
): Listeners {
  const { server, monitoring } = config;
  const { clock, ids, logger, current, certificates } = parts;
  const grpc = createGrpcListener(config, { ...parts, scanner: () => servingOf(current).scanner });
  const listen = (
    { host = server.host, port }: { readonly host?: string | undefined; readonly port: number },
    handler: RequestHandler,
    isOpenToLoopback = false,
  ) => {
    const listener = createHttpServer({
      ...{ handler, host, port, ids, logger },
      errorFormatOf: () => generalErrors,
      headers: () => (current.serving ? headersOf(current.serving.scanner.snapshot.hash) : {}),
      limits: CONNECTION_LIMITS,
      ...(certificates && { tls: demandCertificates(certificates, isOpenToLoopback) }),
      announceAfterMs: ANNOUNCE_AFTER_MS,
    });
    certificates?.onChange(listener.useTls);
    return listener;
  };
  const inForce = () => current.serving?.scanner.snapshot.config.monitoring ?? monitoring;
  const serve: RequestHandler = (request, response) => current.serving?.handler(request, response);
  const handler = certificates ? onlyProbes(serve, () => inForce().health_check.path) : serve;
  const http = listen({ port: monitoring.health_check.port }, handler, true);
  const path = () => inForce().prometheus.path;
  const { render } = parts.metrics;
  const metrics =
    hasMetrics && monitoring.prometheus.enabled
      ? listen(
          monitoring.prometheus,
          createMetricsApplication({ render, path, clock, ids, logger }),
        )
      : null;
  const stop = async () => {
    await Promise.all([grpc.stop(), http.stop()]);
    await metrics?.stop();
  };
  return {
    async start() {
      try {
        const metricsUrl = metrics
          ? await named('monitoring.prometheus.port', () => metrics.start())
          : null;
        const grpcAddress = await named('server.port', () => grpc.start());
        const url = await named('monitoring.health_check.port', () => http.start());
        return { url, metricsUrl, grpcAddress };
      } catch (error) {
        await stop().catch(() => undefined);
        throw error;
      }
    },
    stop,
  };
}
