import type { Clock, RateLimitDecision } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { Primary } from '../cluster/part.ts';
import type { Taken } from './buckets.ts';
import type { GatewayLimiter } from './gateway-limiter.ts';
import type { LeaseRequest, LeaseReturn } from './lease-part.ts';
import { LEASE_MS, LEASES } from './lease-part.ts';

/** Clients that are remembered between their requests. */
const MAX_CLIENTS = 10_000;

/**
 * Creates the limiter of one of several serving processes. Requests are borrowed from the primary for a few
 * milliseconds at a time, as many as came in the time before: the limits hold over all processes, and a
 * client that sends many requests costs one question in 10 ms.
 */
export function createLeasedLimiter(clock: Clock, primary: Primary): GatewayLimiter {
  const clients = new LRUCache<string, LeasedClient>({ max: MAX_CLIENTS });
  return {
    consume(name) {
      let client = clients.get(name);
      if (client === undefined) {
        client = new LeasedClient(name, clock, primary);
        clients.set(name, client);
      }
      return client.consume();
    },
  };
}

interface Waiting {
  resolve(decision: RateLimitDecision): void;
  reject(error: unknown): void;
}

class LeasedClient {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #primary: Primary;
  #waiting: Waiting[] = [];
  #isAsking = false;
  /** What is left of the lease, and what it was when it began. */
  #left = 0;
  #leased = 0;
  #last: Taken | undefined;
  /** Until when a refusal holds. */
  #refusedUntilMs = 0;
  /** Requests since the time before was looked at, and how many it had. */
  #count = 0;
  #expected = 0;
  #countedFromMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, clock: Clock, primary: Primary) {
    this.#name = name;
    this.#clock = clock;
    this.#primary = primary;
  }

  consume(): RateLimitDecision | Promise<RateLimitDecision> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#refusedUntilMs && this.#last) {
      const retryAfterMs = this.#refusedUntilMs - nowMs;
      const sinceMs = this.#last.retryAfterMs - retryAfterMs;
      const resetAfterMs = Math.max(retryAfterMs, this.#last.resetAfterMs - sinceMs);
      return { ...this.#last, allowed: false, retryAfterMs, resetAfterMs };
    }
    this.#note(nowMs);
    if (this.#left > 0 && this.#last) {
      this.#left -= 1;
      return { ...this.#last, remaining: this.#last.remaining + this.#left };
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      void this.#ask();
    });
  }

  /** Counts the requests of each time that a lease lasts; a pause ends what is expected. */
  #note(nowMs: number): void {
    const sinceMs = nowMs - this.#countedFromMs;
    if (sinceMs >= LEASE_MS) {
      this.#expected = sinceMs < 2 * LEASE_MS ? this.#count : 0;
      this.#count = 0;
      this.#countedFromMs = nowMs;
    }
    this.#count += 1;
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.length;
      const request: LeaseRequest = { client: this.#name, waiting, expected: this.#expected };
      try {
        this.#serve(await this.#primary.call<Taken>(LEASES, request), waiting);
      } catch (error) {
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      }
    }
    this.#isAsking = false;
  }

  /** Gives the requests that asked what was taken for them, in their order. */
  #serve(taken: Taken, asked: number): void {
    const served = this.#waiting.splice(0, Math.min(taken.count, asked));
    for (const [index, { resolve }] of served.entries()) {
      const later = served.length - 1 - index;
      resolve({ ...taken, allowed: true, retryAfterMs: 0, remaining: taken.remaining + later });
    }
    this.#last = taken;
    if (taken.count < asked) this.#refuse(taken, asked - taken.count);
    else if (taken.count > asked) this.#begin(taken.count - asked);
  }

  #refuse(taken: Taken, count: number): void {
    // The primary gave less than was asked for: there is none until the next one is gained.
    const retryAfterMs = Math.max(1, taken.retryAfterMs);
    const refused = { ...taken, allowed: false, remaining: 0, retryAfterMs };
    this.#last = refused;
    this.#refusedUntilMs = this.#clock.monotonicMs() + retryAfterMs;
    for (const { resolve } of this.#waiting.splice(0, count)) resolve(refused);
  }

  #begin(leased: number): void {
    this.#left += leased;
    this.#leased += leased;
    this.#clock.setTimer(() => {
      const done: LeaseReturn = { client: this.#name, leased: this.#leased, unused: this.#left };
      this.#left = 0;
      this.#leased = 0;
      if (done.leased > 0) this.#primary.tell(LEASES, done);
    }, LEASE_MS);
  }
}
