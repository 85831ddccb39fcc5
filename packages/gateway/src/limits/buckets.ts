import type { Clock, RateLimitDecision } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../config/read-config.ts';

/** The limits in force. */
export type Limits = GatewayConfig['rate_limiting'];

/** What was taken for a client. */
export interface Taken extends RateLimitDecision {
  /** Requests that were taken, from 0 to as many as were asked for. */
  readonly count: number;
}

/** The token buckets of a gateway: one for each client, as deep as its burst, and one for all. */
export interface Buckets {
  /** Takes up to `most` requests of a client, from its bucket and that of all clients together. */
  take(client: string, most: number): Taken;
  /** Gives back requests that were taken and not made. */
  giveBack(client: string, count: number): void;
  /** Whole requests that the client has left, in its bucket and in that of all. */
  left(client: string): number;
  /** Whole requests in the bucket of the client. */
  leftOf(client: string): number;
}

/** Clients whose buckets are kept; those of the least recent ones are full again when they come back. */
const MAX_CLIENTS = 100_000;
const MINUTE_MS = 60_000;

/** Creates full buckets. They outlive reloads; new limits hold from the next request on. */
export function createBuckets(clock: Clock, limits: () => Limits): Buckets {
  const all = new Bucket();
  const clients = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });
  const filled = (client: string): Bucket => {
    const { requests_per_second, per_client } = limits();
    const nowMs = clock.monotonicMs();
    let own = clients.get(client);
    if (own === undefined) {
      own = new Bucket();
      clients.set(client, own);
    }
    all.fill(nowMs, requests_per_second / 1_000, requests_per_second);
    own.fill(nowMs, per_client.requests_per_minute / MINUTE_MS, per_client.burst_size);
    return own;
  };
  return {
    take(client, most) {
      const own = filled(client);
      const count = Math.min(most, own.whole(), all.whole());
      all.take(count);
      own.take(count);
      const allowed = count > 0;
      return {
        count,
        allowed,
        limit: limits().per_client.burst_size,
        remaining: Math.min(own.whole(), all.whole()),
        resetAfterMs: own.fullMs(),
        retryAfterMs: allowed ? 0 : Math.max(1, own.waitMs(), all.waitMs()),
      };
    },
    giveBack(client, count) {
      const own = filled(client);
      all.take(-count);
      own.take(-count);
      filled(client);
    },
    left: (client) => Math.min(filled(client).whole(), all.whole()),
    leftOf: (client) => filled(client).whole(),
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

  take(count: number): void {
    this.#tokens -= count;
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
