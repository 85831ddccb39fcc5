/** Quotas consumed per call and reset every month (contract, section 3). */
export const METERED_QUOTAS = ['api_requests', 'gateway_scans'] as const;

/** One of {@link METERED_QUOTAS}. */
export type MeteredQuota = (typeof METERED_QUOTAS)[number];
