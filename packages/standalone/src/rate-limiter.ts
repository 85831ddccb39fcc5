import type { Ids, LifecyclePart, Logger, RateLimiter } from '@probity/core';
import { createMemoryRateLimiter } from '@probity/core';
import { createRedisRateLimiter } from '@probity/core/redis';

/** A command that takes longer counts as an outage; the request goes on with the fallback. */
const COMMAND_TIMEOUT_MS = 250;
const MAX_RECONNECT_DELAY_MS = 2_000;

/** The limiter, and the connection that belongs to it. */
export interface OwnedRateLimiter {
  readonly limiter: RateLimiter;
  readonly parts: readonly LifecyclePart[];
}

/** Counts in this process, or together with the other instances where there is a Redis. */
export async function createRateLimiter(
  redisUrl: string | null,
  options: { ids: Ids; logger: Logger; commandTimeoutMs?: number },
): Promise<OwnedRateLimiter> {
  const { ids, logger, commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const inMemory = createMemoryRateLimiter();
  if (redisUrl === null) return { limiter: inMemory, parts: [] };
  // Loaded only here: a server without Redis starts faster without it.
  const { Redis } = await import('ioredis');
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  });
  // The limiter reports outages; without a listener each would be printed once more.
  client.on('error', () => undefined);
  const limiter = createRedisRateLimiter({
    client,
    fallback: inMemory,
    logger,
    newEntryId: () => ids.next('req'),
  });
  const connection: LifecyclePart = {
    name: 'Redis',
    // An unreachable Redis must not keep the service from starting: it is tried again and again.
    start: () => client.connect().catch(() => undefined),
    stop: async () => client.disconnect(),
  };
  return { limiter, parts: [connection] };
}
