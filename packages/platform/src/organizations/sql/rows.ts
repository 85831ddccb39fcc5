import type { Plan } from '@probity/core';
import { toDate } from '@probity/core/sql';
import type { Organization, OrganizationOverview } from '../types.ts';
import type { OrganizationRow } from './tables.ts';

export function toOrganizationRow(organization: Organization): OrganizationRow {
  const { settings } = organization;
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    description: organization.description,
    website: organization.website,
    timezone: organization.timezone,
    sso_enabled: Number(settings.ssoEnabled),
    sso_provider: settings.ssoProvider,
    ip_allowlist: JSON.stringify(settings.ipAllowlist),
    data_residency: settings.dataResidency,
    plan: organization.plan,
    created_at: organization.createdAt.getTime(),
  };
}

export function toOrganizationOverview(
  row: OrganizationRow,
  membersCount: number,
): OrganizationOverview {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    website: row.website,
    timezone: row.timezone,
    settings: {
      ssoEnabled: row.sso_enabled === 1,
      ssoProvider: row.sso_provider,
      ipAllowlist: JSON.parse(row.ip_allowlist) as string[],
      dataResidency: row.data_residency,
    },
    plan: row.plan as Plan,
    createdAt: toDate(row.created_at),
    membersCount,
  };
}
