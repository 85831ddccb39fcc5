import type { Plan } from '@probity/core';

/** Limits of a plan; all integers (specification, "Usage"). */
export interface PlanLimits {
  /** Gateways alive at the same time. */
  readonly gatewayInstances: number;
  /** Agents alive at the same time. */
  readonly sentinelAgents: number;
  /** API requests per month. */
  readonly apiRequests: number;
  /** Scans per month. */
  readonly gatewayScans: number;
  /** Gigabytes of 10^9 bytes. */
  readonly storageGb: number;
}

/** Price, limits and features of a plan (contract, section 3, "Plans"). */
export interface PlanTerms {
  /** Monthly price in minor units of {@link BILLING_CURRENCY}. */
  readonly price: number;
  readonly limits: PlanLimits;
  readonly advancedAnalytics: boolean;
  readonly customIntegrations: boolean;
}

/** The currency of all prices, as a lower-case ISO 4217 code. */
export const BILLING_CURRENCY = 'usd';

function terms(
  price: number,
  [apiRequests, gatewayScans, gatewayInstances, sentinelAgents, storageGb]: readonly [
    apiRequests: number,
    gatewayScans: number,
    gatewayInstances: number,
    sentinelAgents: number,
    storageGb: number,
  ],
  features: Pick<PlanTerms, 'advancedAnalytics' | 'customIntegrations'>,
): PlanTerms {
  const limits = { gatewayInstances, sentinelAgents, apiRequests, gatewayScans, storageGb };
  return Object.freeze({ price, limits: Object.freeze(limits), ...features });
}

const BASIC = { advancedAnalytics: false, customIntegrations: false };
const ANALYTICS = { advancedAnalytics: true, customIntegrations: false };
const EVERYTHING = { advancedAnalytics: true, customIntegrations: true };

/** Prices, limits and features of all plans. */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = Object.freeze({
  free: terms(0, [1_000, 1_000, 1, 1, 1], BASIC),
  starter: terms(4_900, [100_000, 100_000, 2, 5, 10], BASIC),
  professional: terms(49_900, [2_000_000, 1_000_000, 10, 50, 100], ANALYTICS),
  enterprise: terms(499_900, [100_000_000, 100_000_000, 1_000, 10_000, 10_000], EVERYTHING),
});
