import { PLANS, toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, pageInfo, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Instances } from '../../usage/instances.ts';
import type { InstanceCounts } from '../../usage/types.ts';
import type { Organizations } from '../organizations.ts';
import type { OrganizationOverview } from '../types.ts';
import { organizationParams } from './params.ts';

const summaryShape = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  created_at: timestamp,
  plan: z.enum(PLANS),
  members_count: z.int().nonnegative(),
  gateway_instances: z.int().nonnegative(),
  sentinel_agents: z.int().nonnegative(),
};

const organizationSummary = z.strictObject(summaryShape).meta({ id: 'OrganizationSummary' });

/** Schema of the detail view. */
export const organizationDetail = z
  .strictObject({
    ...summaryShape,
    description: z.string().nullable(),
    website: z.string().nullable(),
    timezone: z.string(),
    settings: z.strictObject({
      sso_enabled: z.boolean(),
      sso_provider: z.string().nullable(),
      ip_allowlist: z.array(z.string()),
      data_residency: z.string().nullable(),
    }),
  })
  .meta({ id: 'Organization' });

/** Endpoints for organizations. */
export function organizationEndpoints(
  organizations: Organizations,
  instances: Instances,
): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/organizations',
      operationId: 'listOrganizations',
      summary: 'List the organizations that the key belongs to',
      description: 'Lists the organization of the credential, as a page of one.',
      tag: 'Organizations',
      permission: 'organization:read',
      rateLimit: 'platform',
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of organizations',
          schema: z.strictObject({ organizations: z.array(organizationSummary), ...pageInfo }),
        },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await organizations.list(context, query);
        const summaries = await Promise.all(
          items.map(async (each) => toSummary(each, await instances.count(each.id))),
        );
        return reply(200, { organizations: summaries, ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/organizations/{org_id}',
      operationId: 'getOrganization',
      summary: 'Get an organization',
      description: 'Returns the organization with its settings and counts.',
      tag: 'Organizations',
      permission: 'organization:read',
      rateLimit: 'platform',
      params: organizationParams,
      responses: { 200: { description: 'The organization', schema: organizationDetail } },
      async handler({ context, params, reply }) {
        const organization = await organizations.get(context, params.org_id);
        const counts = await instances.count(organization.id);
        return reply(200, toDetail(organization, counts));
      },
    }),
  ];
}

function toSummary(
  organization: OrganizationOverview,
  counts: InstanceCounts,
): z.infer<typeof organizationSummary> {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    created_at: organization.createdAt.toISOString(),
    plan: organization.plan,
    members_count: organization.membersCount,
    gateway_instances: counts.gateway,
    sentinel_agents: counts.sentinel,
  };
}

/** Converts an organization to its detail view. */
export function toDetail(
  organization: OrganizationOverview,
  counts: InstanceCounts,
): z.infer<typeof organizationDetail> {
  const { description, website, timezone, settings } = organization;
  // Not a spread: V8 gives an object extended after a spread dictionary mode, which is far slower.
  return Object.assign(toSummary(organization, counts), {
    description,
    website,
    timezone,
    settings: {
      sso_enabled: settings.ssoEnabled,
      sso_provider: settings.ssoProvider,
      ip_allowlist: [...settings.ipAllowlist],
      data_residency: settings.dataResidency,
    },
  });
}
