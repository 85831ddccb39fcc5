import type { Plan } from './plans.ts';

/** The interfaces whose requests are counted separately (specification, "Limits"). */
export const RATE_LIMIT_CLASSES = ['platform', 'general', 'evidence', 'scim'] as const;
export type RateLimitClass = (typeof RATE_LIMIT_CLASSES)[number];

/** A maximum number of requests within any window of the given number of seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Limits by interface. */
export type RateLimits = Readonly<Record<RateLimitClass, RateLimit>>;

/** The specification's limits; where plans differ, those of plans up to professional. */
export const DEFAULT_RATE_LIMITS: RateLimits = Object.freeze({
  platform: { requests: 100, windowSeconds: 60 },
  general: { requests: 1_000, windowSeconds: 60 },
  evidence: { requests: 5_000, windowSeconds: 3_600 },
  scim: { requests: 3_000, windowSeconds: 60 },
});

/** Limits of the plans that differ from the default (contract, section 9). */
export const PLAN_RATE_LIMITS: Readonly<Partial<Record<Plan, Partial<RateLimits>>>> = {
  enterprise: { evidence: { requests: 10_000, windowSeconds: 3_600 } },
};
