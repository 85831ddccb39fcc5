import type { Clock, RateLimitDecision } from '@probity/core';
import type { Limits } from './buckets.ts';
import { createBuckets } from './buckets.ts';

/** Counts requests of clients against the limits in force. */
export interface GatewayLimiter {
  /** Takes one request of a client, where both the client and all clients together have one left. */
  consume(client: string): RateLimitDecision | Promise<RateLimitDecision>;
}

/** Creates the limiter of a gateway of one process. */
export function createGatewayLimiter(clock: Clock, limits: () => Limits) {
  const buckets = createBuckets(clock, limits);
  return { consume: (client: string): RateLimitDecision => buckets.take(client, 1) };
}
