import type { Pipeline, Policy } from '@probity/pipeline';
import { builtInPolicyRules, parsePolicies } from '@probity/pipeline';

/**
 * Id of the policy that every organization starts with. Policy ids are unique within an
 * organization, so all share this one; an organization that changes the policy stores its own
 * version under the same id, and until then uses the rules of the running release.
 */
export const BUILT_IN_POLICY_ID = 'pol_builtin';

/** The policy that every organization starts with (contract, section 7). */
export const BUILT_IN_POLICY: Policy = builtInPolicy();

/**
 * The same with the rules of a pipeline's further stages. Frozen with its rules, since all services of
 * a process share it.
 */
export function builtInPolicy(pipeline?: Pipeline): Policy {
  const rules = builtInPolicyRules(pipeline);
  const policy = { id: BUILT_IN_POLICY_ID, name: 'Built-in policy', enabled: true, rules };
  return parsePolicies([policy], { pipeline })[0] as Policy;
}
