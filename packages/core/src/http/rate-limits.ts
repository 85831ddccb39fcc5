import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { ProbityError } from '../errors.ts';
import type { RateLimitClass, RateLimitDecision, RateLimiter, RateLimits } from '../rate-limit.ts';

/** How a router limits rates. */
export interface RateLimitOptions {
  readonly limiter: RateLimiter;
  readonly limits: RateLimits;
}

/**
 * Counts the request against the caller's limit and sets the headers that say so
 * (specification, "Platform interface format").
 * @throws ProbityError `rate_limited`
 */
export async function limitRate(
  ctx: Context,
  principal: Principal,
  rateClass: RateLimitClass,
  { limiter, limits }: RateLimitOptions,
  clock: Clock,
): Promise<void> {
  const limit = limits[rateClass];
  const decision = await limiter.consume(`${rateClass}:${principal.keyId}`, limit);
  ctx.set(rateLimitHeaders(decision, clock.now()));
  if (decision.allowed) return;
  const seconds = Math.ceil(decision.retryAfterMs / 1_000);
  throw new ProbityError(
    'rate_limited',
    `More than ${limit.requests} requests in ${limit.windowSeconds} seconds; try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

function rateLimitHeaders(decision: RateLimitDecision, now: Date): Record<string, string> {
  const resetAtMs = now.getTime() + decision.resetAfterMs;
  return {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAtMs / 1_000)),
  };
}
