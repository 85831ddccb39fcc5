/** Largest numbers of policies of an organization, of rules in a policy, and of keys that a policy is bound to. */
export const MAX_POLICIES = 100;
export const MAX_RULES = 200;
export const MAX_KEYS = 200;
