import type { GatewayConfig } from '../config/read-config.ts';

/** What is left to workers beyond the time that requests in progress have, in milliseconds. */
const REST_MS = 5_000;

/** How long workers may take to answer what is in progress before they are killed, in milliseconds. */
export function stopTimeOf({ server, models }: Pick<GatewayConfig, 'server' | 'models'>): number {
  const callsModels = Object.values(models.providers).some(({ enabled }) => enabled);
  const callMs = callsModels ? models.timeout_ms : 0;
  return Math.max(server.request_timeout_ms, callMs) + REST_MS;
}
