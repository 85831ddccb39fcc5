import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import type { OrganizationPolicy } from './types.ts';

/** What of a policy decides to which scans it applies. */
type Selectable = Pick<OrganizationPolicy, 'id' | 'enabled' | 'isDefault' | 'keyIds'>;

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
