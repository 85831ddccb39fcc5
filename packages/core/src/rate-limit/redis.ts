import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { RateLimit } from '../contract/rate-limits.ts';
import type { Logger } from '../logging/logger.ts';
import type { RateLimitDecision, RateLimiter } from './rate-limit.ts';

/** The part of an ioredis client that the limiter uses. */
export interface RedisScripting {
  eval(script: string, keyCount: number, ...args: string[]): Promise<unknown>;
}

/** Dependencies and settings of the limiter. */
export interface RedisRateLimiterOptions {
  /** A client that fails fast: without an offline queue and with a command timeout. */
  readonly client: RedisScripting;
  /**
   * Counts while Redis does not answer, so that an outage neither blocks clients nor lifts limits.
   * It also receives what Redis allows, so that counts carry over when an outage begins and ends.
   */
  readonly fallback: RateLimiter;
  readonly logger: Logger;
  /** Generates a name for each counted request, unique across all instances. */
  newEntryId(): string;
  readonly clock?: Clock | undefined;
  /** Prefix of every key; default `probity:rate:`. */
  readonly keyPrefix?: string | undefined;
}

/**
 * One sorted set per key holds the times of the allowed requests, in microseconds of the Redis
 * server's clock, which all instances share. Returns whether the request is allowed, how many count
 * now, and when the oldest of them leaves the window. Redis expires keys by whole milliseconds, so
 * the key lives one longer than its last request counts.
 */
const SLIDING_WINDOW = `
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local count = redis.call('ZCARD', KEYS[1])
local allowed = 0
if count < limit then
  allowed = 1
  count = count + 1
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[3])
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1)
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {allowed, count, string.format('%.0f', tonumber(oldest[2]) + window - now)}
`;

/** Time without calls to Redis after it did not answer. */
const PAUSE_MS = 1_000;

/**
 * An exact sliding window that all instances on one Redis share: one script call per request. While
 * Redis is down the fallback counts, with one log line when the outage begins and one when it ends;
 * for one window afterwards both must allow a request, as Redis has no record of the outage.
 */
export function createRedisRateLimiter(options: RedisRateLimiterOptions): RateLimiter {
  const { client, fallback, logger, newEntryId } = options;
  const { clock = systemClock, keyPrefix = 'probity:rate:' } = options;
  let isDown = false;
  let asksAgainAtMs = 0;
  let answersSinceMs = Number.NEGATIVE_INFINITY;

  function noteAnswer(): void {
    if (!isDown) return;
    logger.info('Redis answers again; rate limits are shared between instances');
    isDown = false;
    answersSinceMs = clock.monotonicMs();
  }

  function noteSilence(error: unknown): void {
    const message = 'Redis does not answer; each instance counts rate limits for itself';
    if (!isDown) logger.warn(message, { error });
    isDown = true;
    asksAgainAtMs = clock.monotonicMs() + PAUSE_MS;
  }

  async function consume(key: string, limit: RateLimit): Promise<RateLimitDecision> {
    // A hung Redis would delay every request by its timeout.
    if (isDown && clock.monotonicMs() < asksAgainAtMs) return fallback.consume(key, limit);
    const windowMs = limit.windowSeconds * 1_000;
    const name = `${keyPrefix}${limit.requests}/${limit.windowSeconds}:${key}`;
    const args = [name, String(limit.requests), String(windowMs * 1_000), newEntryId()];
    let shared: RateLimitDecision;
    try {
      const answer = await client.eval(SLIDING_WINDOW, 1, ...args);
      shared = toDecision(answer as [number, number, string], limit);
    } catch (error) {
      noteSilence(error);
      return fallback.consume(key, limit);
    }
    noteAnswer();
    if (!shared.allowed) return shared;
    const own = await fallback.consume(key, limit);
    const isAfterOutage = clock.monotonicMs() < answersSinceMs + windowMs;
    return isAfterOutage && (!own.allowed || own.remaining < shared.remaining) ? own : shared;
  }

  return { consume };
}

function toDecision(
  [allowed, count, resetAfterUs]: [number, number, string],
  limit: RateLimit,
): RateLimitDecision {
  const resetAfterMs = Math.max(0, Number(resetAfterUs) / 1_000);
  return {
    allowed: allowed === 1,
    limit: limit.requests,
    remaining: limit.requests - count,
    resetAfterMs,
    retryAfterMs: allowed === 1 ? 0 : Math.max(1, resetAfterMs),
  };
}
