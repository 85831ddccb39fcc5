import type { Plan } from './plans.ts';

/**
 * Classes of requests with separate counts: the interfaces (specification, "Limits"), and the requests of signed-in people, of
 * all interfaces together (contract, section 9).
 */
export const RATE_LIMIT_CLASSES = ['platform', 'general', 'evidence', 'scim', 'session'] as const;
export type RateLimitClass = (typeof RATE_LIMIT_CLASSES)[number];

/** A maximum number of requests within any window of the given number of seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Limits by class. */
export type RateLimits = Readonly<Record<RateLimitClass, RateLimit>>;

/** The specification's limits; where plans differ, those of plans up to professional. */
export const DEFAULT_RATE_LIMITS: RateLimits = Object.freeze({
  platform: { requests: 100, windowSeconds: 60 },
  general: { requests: 1_000, windowSeconds: 60 },
  evidence: { requests: 5_000, windowSeconds: 3_600 },
  scim: { requests: 3_000, windowSeconds: 60 },
  session: { requests: 600, windowSeconds: 60 },
});

/** Limits of the plans that differ from the default (contract, section 9). */
export const PLAN_RATE_LIMITS: Readonly<Partial<Record<Plan, Partial<RateLimits>>>> = {
  enterprise: { evidence: { requests: 10_000, windowSeconds: 3_600 } },
};
