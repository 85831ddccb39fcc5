/** More than the requests of one application server in front of it. */
export const CONNECTION_LIMITS = { connectionsPerAddress: 10_000, requestsPerAddress: 2_000 };

/** The default port of the metrics, which other programs have too. */
const SHARED_PORT =
  '. Set monitoring.prometheus.port to another, such as 9091: probity-server and Prometheus have 9090 by default too';

/** Names the key of the configuration whose port cannot be listened on. */
export async function named(key: string, start: () => Promise<string>): Promise<string> {
  try {
    return await start();
  } catch (cause) {
    const { message } = cause as Error;
    const remedy = message.endsWith(':9090') ? SHARED_PORT : '';
    throw new Error(`${key} cannot be used: ${message}${remedy}`, { cause });
  }
}
