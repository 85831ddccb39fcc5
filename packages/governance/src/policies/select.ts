import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import type { Rights } from '@probity/core/internal';
import { isPermitted } from '@probity/core/internal';
import type { OrganizationPolicy } from './types.ts';

/** What of a policy decides to which scans it applies. */
type Selectable = Pick<OrganizationPolicy, 'id' | 'enabled' | 'isDefault' | 'keyIds' | 'mode'>;

/**
 * The policies that apply to a scan, in the order of `policies`: those that it names, or the default ones where it names
 * none; and in both cases those that are bound to its API key. Disabled policies apply to no scan.
 * @param ids the policies that the scan names
 * @param keyId the API key of the scan
 * @throws ProbityError `validation_failed` with a detail `policyIds.N` for every unknown id, and for
 *   an empty list, with which nothing would be blocked
 */
export function selectPolicies<P extends Selectable>(
  policies: readonly P[],
  ids: readonly string[] | null | undefined,
  keyId: string,
): readonly P[] {
  const named = ids ?? null;
  if (named !== null) requireKnown(policies, named);
  return policies.filter(
    (policy) => policy.enabled && (isBoundTo(policy, keyId) || isChosen(policy, named)),
  );
}

/**
 * The policies that a scan names, with the default ones where the caller may not change policies: naming others must not
 * replace them.
 * @param ids the policies that the request names
 */
export function withDefaults(
  policies: readonly Selectable[],
  ids: readonly string[] | null | undefined,
  rights: Rights,
): readonly string[] | null {
  if ((ids ?? null) === null || !Array.isArray(ids) || ids.length === 0) return ids ?? null;
  if (isPermitted(rights, 'policies:write')) return ids;
  const isDefault = (policy: Selectable) => policy.enabled && isChosen(policy, null);
  return [...ids, ...policies.filter(isDefault).map(({ id }) => id)];
}

/**
 * Refuses a choice that would judge nothing.
 * @throws ProbityError `validation_failed` that names `policyIds`
 */
export function requireEnforced(chosen: readonly Selectable[]): void {
  if (chosen.some(({ mode }) => mode === 'enforce')) return;
  const message =
    'must name at least one policy that is enforced; enable one, set its mode to enforce, or name another';
  throw validationError({ field: 'policyIds', message });
}

function isBoundTo({ keyIds }: Selectable, keyId: string): boolean {
  return keyIds?.includes(keyId) ?? false;
}

function isChosen({ id, keyIds, isDefault }: Selectable, named: readonly string[] | null): boolean {
  return named === null ? keyIds === null && isDefault : named.includes(id);
}

function requireKnown(policies: readonly Selectable[], ids: readonly string[]): void {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw validationError({ field: 'policyIds', message: 'must be a list of at least one id' });
  }
  const unknown = ids.flatMap((id: string, index: number): FieldError[] =>
    policies.some((policy) => policy.id === id)
      ? []
      : [{ field: `policyIds.${index}`, message: 'is not a policy of this organization' }],
  );
  if (unknown.length > 0) throw validationError(...unknown);
}
