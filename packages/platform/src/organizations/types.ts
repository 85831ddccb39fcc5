import type { Plan } from '@probity/core';

/** An organization (specification, "Organization"). */
export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Unique, made from the name. */
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
  /** CIDR blocks; empty admits every address. */
  readonly ipAllowlist: readonly string[];
  readonly dataResidency: string | null;
}

/** What an update changes; absent fields stay as they are. */
export interface OrganizationChanges {
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly ipAllowlist?: readonly string[] | undefined;
}

/** An organization with the counts that its views show. */
export interface OrganizationOverview extends Organization {
  /** Active and pending members. */
  readonly membersCount: number;
}
