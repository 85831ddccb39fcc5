/** The largest number of webhooks of an organization (specification, "Limits"). */
export const MAX_WEBHOOKS = 100;

/** The largest `rateLimit`, in deliveries per second. */
export const MAX_RATE_LIMIT = 1_000;
