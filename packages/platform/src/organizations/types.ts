import type { Plan } from '@probity/core';

/** An organization (specification, "Organization"). */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Unique, derived from the name. */
  readonly slug: string;
  readonly description: string | null;
  readonly website: string | null;
  /** IANA zone name. */
  readonly timezone: string;
  readonly settings: OrganizationSettings;
  readonly plan: Plan;
  readonly createdAt: Date;
}

/** Settings of an organization. */
export interface OrganizationSettings {
  readonly ssoEnabled: boolean;
  readonly ssoProvider: string | null;
  /** CIDR blocks; an empty list allows every address. */
  readonly ipAllowlist: readonly string[];
  readonly dataResidency: string | null;
}

/** Fields to update; absent fields keep their value. */
export interface OrganizationChanges {
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly ipAllowlist?: readonly string[] | undefined;
}

/** An organization with the counts shown in its views. */
export interface OrganizationOverview extends Organization {
  /** Number of active and pending members. */
  readonly membersCount: number;
}
