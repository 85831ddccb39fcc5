import type { Policy, PolicyRule } from '@probity/pipeline';

/**
 * What a policy does: `enforce` decides on scans; `monitor` only records what it would have decided.
 */
export const POLICY_MODES = ['enforce', 'monitor'] as const;
/** One of {@link POLICY_MODES}. */
export type PolicyMode = (typeof POLICY_MODES)[number];

/** The members of a policy that its versions record. */
export interface PolicyContent {
  readonly name: string;
  readonly description: string | null;
  /** A disabled policy applies to no scan. */
  readonly enabled: boolean;
  readonly mode: PolicyMode;
  /** Whether it applies to scans that name no policies. Not used for one that is bound to keys. */
  readonly isDefault: boolean;
  /** The API keys to which it is bound: it applies to all of their scans, and to no others that do not name it. */
  readonly keyIds: readonly string[] | null;
  readonly rules: readonly PolicyRule[];
}

/** A policy of an organization, in its present version. */
export interface StoredPolicy extends PolicyContent {
  /** `pol_…`, unique within the organization. */
  readonly id: string;
  readonly organizationId: string;
  /** 1, 2, 3, … */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * A version of a policy, which never changes. Versions stay when their policy is deleted, as scans name
 * them.
 */
export interface PolicyVersion extends PolicyContent {
  readonly organizationId: string;
  readonly policyId: string;
  readonly version: number;
  /** The member who made it; null for a policy that the organization started with. */
  readonly memberId: string | null;
  readonly createdAt: Date;
}

/**
 * A policy as an organization has it: one of its own, or one that it started with and has not changed, of
 * which the times are null.
 */
export interface OrganizationPolicy extends PolicyContent {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** Input for a new policy. */
export interface NewPolicy {
  readonly name: string;
  /** Default null. */
  readonly description?: string | null | undefined;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  /** Default `enforce`. */
  readonly mode?: PolicyMode | undefined;
  /** Default true. */
  readonly default?: boolean | undefined;
  /** Default null. */
  readonly keyIds?: readonly string[] | null | undefined;
  readonly rules: readonly PolicyRule[];
}

/** The changes of an update; absent members stay as they are. */
export type PolicyChanges = {
  readonly [Member in keyof NewPolicy]?: NewPolicy[Member] | undefined;
};

/** A policy with its rules as the pipeline takes them. */
export interface ResolvedPolicy extends OrganizationPolicy {
  /** Checked and frozen. */
  readonly policy: Policy;
  /** Whether the version is stored; one of a policy that the organization started with is at its first scan. */
  readonly isStored: boolean;
}

/** A version of a policy that was applied to a scan. */
export interface AppliedPolicy {
  readonly id: string;
  readonly version: number;
  readonly mode: PolicyMode;
}
