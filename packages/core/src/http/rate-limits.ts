import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import type { Plan } from '../contract/plans.ts';
import type { RateLimit, RateLimitClass } from '../contract/rate-limits.ts';
import { ProbityError } from '../errors.ts';
import type { RateLimitDecision, RateLimitOptions } from '../rate-limit/rate-limit.ts';
import { rateLimitOf } from '../rate-limit/rate-limit.ts';
import type { RequestState } from './request-state.ts';

/** The subject that a request counts against. */
export interface LimitedCaller {
  /** The result of {@link callerSubject}, or of `addressSubject` for an address. */
  readonly subject: string;
  readonly plan: Plan;
}

/**
 * Counts the request against the caller's limit and sets the rate limit headers (specification,
 * "Platform interface format"; draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4).
 * @throws ProbityError `rate_limited`
 */
export function limitRate(
  request: RequestState,
  { subject, plan }: LimitedCaller,
  rateClass: RateLimitClass,
  { limiter, limits }: RateLimitOptions,
  clock: Clock,
): Promise<void> | undefined {
  const limit = rateLimitOf(limits, rateClass, plan);
  const decision = limiter.consume(`${rateClass}:${subject}`, limit);
  const heed = (made: RateLimitDecision) => {
    setRateLimitHeaders(request, rateClass, limit, made, clock.now());
    requireAllowed(limit, made);
  };
  if ('then' in decision) return decision.then(heed);
  heed(decision);
  return undefined;
}

function requireAllowed(limit: RateLimit, decision: RateLimitDecision): void {
  if (decision.allowed) return;
  const seconds = Math.ceil(decision.retryAfterMs / 1_000);
  throw new ProbityError(
    'rate_limited',
    `More than ${limit.requests} requests in ${limit.windowSeconds} seconds; try again in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/**
 * The draft's `t` is the time within which no more than `r` further requests are allowed; in a
 * sliding window that is until the oldest counted request leaves it. Rounded up, as Retry-After is,
 * so that a client that waits that long succeeds.
 */
function setRateLimitHeaders(
  request: RequestState,
  rateClass: RateLimitClass,
  { requests, windowSeconds }: RateLimit,
  { limit, remaining, resetAfterMs }: RateLimitDecision,
  now: Date,
): void {
  const resetAtMs = now.getTime() + resetAfterMs;
  const resetAfterSeconds = Math.ceil(resetAfterMs / 1_000);
  request.addHeader('X-RateLimit-Limit', String(limit));
  request.addHeader('X-RateLimit-Remaining', String(remaining));
  request.addHeader('X-RateLimit-Reset', String(Math.ceil(resetAtMs / 1_000)));
  request.addHeader('RateLimit-Policy', `"${rateClass}";q=${requests};w=${windowSeconds}`);
  request.addHeader('RateLimit', `"${rateClass}";r=${remaining};t=${resetAfterSeconds}`);
}

/**
 * The subject of an authenticated request: its credential, or the member who signed in. A host's
 * identifiers of members are unique within an organization only.
 */
export function callerSubject(principal: Principal): string {
  const { organizationId, sessionId, keyId, memberId } = principal;
  return JSON.stringify([organizationId, sessionId === undefined ? keyId : memberId]);
}
