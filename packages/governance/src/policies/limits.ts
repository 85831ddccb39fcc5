/** Largest numbers of policies of an organization, of rules in a policy, and of keys that a policy is bound to. */
export const MAX_POLICIES = 100;
export const MAX_RULES = 200;
export const MAX_KEYS = 200;

/** The most stored scans that a dry run judges. */
export const MAX_DRY_RUN_SCANS = 100_000;
