import type { Clock, RateLimitDecision } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config/read-config.ts';

/** Counts requests of clients against the limits in force. */
export interface GatewayLimiter {
  /** Takes one request of a client, where both the client and all clients together have one left. */
  consume(client: string): RateLimitDecision;
}

type Limits = GatewayConfig['rate_limiting'];

/** Clients whose buckets are kept; those of the least recent ones are full again when they come back. */
const MAX_CLIENTS = 100_000;
const MINUTE_MS = 60_000;

/**
 * Creates the limiter: a token bucket for each client, as deep as its burst, and one for all, as deep as the
 * requests of a second. Buckets outlive reloads; new limits hold from the next request on.
 */
export function createGatewayLimiter(clock: Clock, limits: () => Limits): GatewayLimiter {
  const all = new Bucket();
  const clients = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });
  return {
    consume(client) {
      const { requests_per_second, per_client } = limits();
      const nowMs = clock.monotonicMs();
      let own = clients.get(client);
      if (own === undefined) {
        own = new Bucket();
        clients.set(client, own);
      }
      all.fill(nowMs, requests_per_second / 1_000, requests_per_second);
      own.fill(nowMs, per_client.requests_per_minute / MINUTE_MS, per_client.burst_size);
      const allowed = all.waitMs() === 0 && own.waitMs() === 0;
      if (allowed) {
        all.take();
        own.take();
      }
      return {
        allowed,
        limit: per_client.requests_per_minute,
        remaining: Math.min(own.whole(), all.whole()),
        resetAfterMs: own.fullMs(),
        retryAfterMs: allowed ? 0 : Math.max(1, own.waitMs(), all.waitMs()),
      };
    },
  };
}

/** Holds up to `depth` requests, and gains `perMs` of them each millisecond. */
class Bucket {
  #tokens = Number.POSITIVE_INFINITY;
  #atMs = 0;
  #perMs = 0;
  #depth = 0;

  fill(nowMs: number, perMs: number, depth: number): void {
    const gained = (nowMs - this.#atMs) * this.#perMs;
    this.#tokens = Math.min(depth, this.#tokens + gained);
    this.#atMs = nowMs;
    this.#perMs = perMs;
    this.#depth = depth;
  }

  take(): void {
    this.#tokens -= 1;
  }

  whole(): number {
    return Math.max(0, Math.floor(this.#tokens + EPSILON));
  }

  /** Milliseconds until there is a whole request. */
  waitMs(): number {
    return this.#tokens + EPSILON >= 1 ? 0 : (1 - this.#tokens) / this.#perMs;
  }

  fullMs(): number {
    return (this.#depth - this.#tokens) / this.#perMs;
  }
}

/** What sums of fractions may lack. */
const EPSILON = 1e-9;
