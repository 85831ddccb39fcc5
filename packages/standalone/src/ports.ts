import { createServer } from 'node:net';
import type { ServerConfig } from './config.ts';
import { messageOf, StartFailure } from './failure.ts';

/**
 * Makes sure that the ports can be bound, before anything is created that a failed start would
 * leave behind.
 *
 * @throws StartFailure that names the port
 */
export async function checkPorts(config: ServerConfig): Promise<void> {
  const { host, port, role, metricsHost, metricsPort, isMetricsPortChosen } = config;
  if (role !== 'worker') await checkPort(host, port);
  if (metricsPort === null || !isMetricsPortChosen) return;
  await checkPort(metricsHost, metricsPort).catch(({ message }: Error) => {
    throw new StartFailure(`PROBITY_METRICS_PORT: ${message}`);
  });
}

/** The failure to bind a port, in words. */
export function portFailure(host: string, port: number, error: unknown): StartFailure {
  return new StartFailure(`Port ${port} on ${host} cannot be used: ${messageOf(error)}`);
}

function checkPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(portFailure(host, port, error)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}
