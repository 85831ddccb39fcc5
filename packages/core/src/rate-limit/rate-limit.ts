import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { RateLimit, RateLimitClass, RateLimits } from '../contract/rate-limits.ts';
import {
  DEFAULT_RATE_LIMITS,
  PLAN_RATE_LIMITS,
  RATE_LIMIT_CLASSES,
} from '../contract/rate-limits.ts';

/** Returns the limit of a plan; a limit set in place of the default applies to every plan. */
export function rateLimitOf(limits: RateLimits, rateClass: RateLimitClass, plan: Plan): RateLimit {
  const limit = limits[rateClass];
  if (limit !== DEFAULT_RATE_LIMITS[rateClass]) return limit;
  return PLAN_RATE_LIMITS[plan]?.[rateClass] ?? limit;
}

/** Decision on one request. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in the window after this one. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the window. */
  readonly resetAfterMs: number;
  /** Milliseconds until a further request would be allowed; 0 when this one was. */
  readonly retryAfterMs: number;
}

/** Counts requests. */
export interface RateLimiter {
  /** Counts a request of `key` if the limit allows it. A rejected request does not count. */
  consume(key: string, limit: RateLimit): RateLimitDecision | Promise<RateLimitDecision>;
}

/** Rate limiting of a router. */
export interface RateLimitOptions {
  readonly limiter: RateLimiter;
  readonly limits: RateLimits;
}

/**
 * An exact sliding window in memory: no window contains more allowed requests than the limit, and a
 * steady rate below the limit is never rejected. One timestamp is kept per allowed request in a
 * ring that grows to the limit, for the `maxKeys` most recently used keys.
 */
export function createMemoryRateLimiter(
  clock: Clock = systemClock,
  maxKeys = 100_000,
): RateLimiter {
  // By size: `max` would allocate the room for all keys at once, however few there are.
  const rings = new LRUCache<string, Ring>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  return {
    consume(key, limit) {
      const ringKey = `${limit.requests}/${limit.windowSeconds}:${key}`;
      let ring = rings.get(ringKey);
      if (!ring) {
        ring = new Ring(limit.requests);
        rings.set(ringKey, ring);
      }
      return ring.consume(clock.monotonicMs(), limit.windowSeconds * 1_000);
    },
  };
}

const INITIAL_RING_SIZE = 16;

/** Times of the latest allowed requests, oldest first. */
class Ring {
  readonly #limit: number;
  #times: Float64Array;
  #start = 0;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#times = new Float64Array(Math.min(limit, INITIAL_RING_SIZE));
  }

  consume(nowMs: number, windowMs: number): RateLimitDecision {
    while (this.#count > 0 && this.#oldest() <= nowMs - windowMs) this.#drop();
    const allowed = this.#count < this.#limit;
    if (allowed) this.#push(nowMs);
    const resetAfterMs = this.#count > 0 ? this.#oldest() + windowMs - nowMs : 0;
    return {
      allowed,
      limit: this.#limit,
      remaining: this.#limit - this.#count,
      resetAfterMs,
      retryAfterMs: allowed ? 0 : Math.max(1, resetAfterMs),
    };
  }

  #oldest(): number {
    return this.#times[this.#start] as number;
  }

  #drop(): void {
    this.#start = (this.#start + 1) % this.#times.length;
    this.#count -= 1;
  }

  #push(time: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#start + this.#count) % this.#times.length] = time;
    this.#count += 1;
  }

  #grow(): void {
    const larger = new Float64Array(Math.min(this.#limit, this.#times.length * 2));
    for (let index = 0; index < this.#count; index += 1) {
      larger[index] = this.#times[(this.#start + index) % this.#times.length] as number;
    }
    this.#times = larger;
    this.#start = 0;
  }
}

/**
 * Parses `platform=100/60,general=1000/60`: requests per seconds for the named interfaces,
 * overriding `defaults`.
 * @throws Error that names the invalid entry
 */
export function parseRateLimits(
  text: string,
  defaults: RateLimits = DEFAULT_RATE_LIMITS,
): RateLimits {
  const limits: Record<string, RateLimit> = { ...defaults };
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const match = /^(\w+)=(\d{1,9})\/(\d{1,6})$/.exec(entry);
    const requests = Number(match?.[2]);
    const windowSeconds = Number(match?.[3]);
    if (!match || !Object.hasOwn(defaults, match[1] as string) || !requests || !windowSeconds) {
      throw new Error(
        `"${entry}" is not of the form INTERFACE=REQUESTS/SECONDS with one of ` +
          `${RATE_LIMIT_CLASSES.join(', ')} and numbers of at least 1`,
      );
    }
    limits[match[1] as string] = { requests, windowSeconds };
  }
  return limits as unknown as RateLimits;
}
