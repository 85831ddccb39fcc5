import { isLoopback } from '../config/forms.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { GatewayAddresses } from '../gateway.ts';
import type { GatewayLog } from './gateway-log.ts';

/** Contents of the record of a gateway that takes requests. */
export interface Announcement {
  readonly config: GatewayConfig;
  readonly hash: string;
  readonly addresses: GatewayAddresses;
  /** Serving processes. */
  readonly workers: number;
}

/** Logs the addresses and ports of all listeners, and warns where others on the network could read along. */
export function announceListening(
  log: GatewayLog,
  { config, hash, addresses, workers }: Announcement,
): void {
  const { url, grpcAddress, metricsUrl } = addresses;
  const { server, security } = config;
  log.announce('listening', {
    ...{ url, grpc: grpcAddress, metrics_url: metricsUrl, host: server.host },
    http_port: Number(new URL(url).port),
    grpc_port: Number(grpcAddress.slice(grpcAddress.lastIndexOf(':') + 1)),
    metrics_port: metricsUrl === null ? null : Number(new URL(metricsUrl).port),
    ...{ workers, config_hash: hash },
  });
  if (!security.mtls_enabled && !isLoopback(server.host)) {
    log.logger.warn(
      'API keys and texts cross the network in the clear; set server.host to 127.0.0.1, or security.mtls_enabled',
      { host: server.host },
    );
  }
  log.flush();
}
