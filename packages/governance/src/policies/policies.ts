import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
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

/**
 * The policies that `ids` name, each once and in the order of `policies`; all of them without `ids`.
 * @throws ProbityError `validation_failed` with a detail `policyIds.N` for every unknown id, and for
 *   an empty list, with which nothing would be blocked
 */
export function selectPolicies(
  policies: readonly Policy[],
  ids: readonly string[] | null | undefined,
): readonly Policy[] {
  if (ids === undefined || ids === null) return policies;
  if (!Array.isArray(ids) || ids.length === 0) {
    throw validationError({ field: 'policyIds', message: 'must be a list of at least one id' });
  }
  const unknown = ids.flatMap((id: string, index: number): FieldError[] =>
    policies.some((policy) => policy.id === id)
      ? []
      : [{ field: `policyIds.${index}`, message: 'is not a policy of this organization' }],
  );
  if (unknown.length > 0) throw validationError(...unknown);
  return policies.filter(({ id }) => ids.includes(id));
}
