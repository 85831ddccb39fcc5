/** The largest number of webhooks of an organization (specification, "Limits"). */
export const MAX_WEBHOOKS = 100;
