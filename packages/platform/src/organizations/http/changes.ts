import type { Endpoint } from '@probity/core/koa';
import { endpoint, nameText } from '@probity/core/koa';
import { z } from 'zod';
import type { Instances } from '../../usage/instances.ts';
import type { Organizations } from '../organizations.ts';
import { organizationDetail, toDetail } from './organizations.ts';
import { organizationParams } from './params.ts';

/** A read-only field: it exists, but clients cannot set it. */
const fixed = z.never('cannot be updated').optional();

const organizationChanges = z
  .strictObject({
    name: nameText(100).optional(),
    timezone: z.string().max(100, 'must have at most 100 characters').optional(),
    settings: z
      .strictObject({
        ip_allowlist: z
          .array(z.string())
          .optional()
          .describe(
            'IP addresses and CIDR networks, at most 200; an empty list allows every address.',
          ),
        sso_enabled: fixed,
        sso_provider: fixed,
        data_residency: fixed,
      })
      .optional(),
    id: fixed,
    slug: fixed,
    description: fixed,
    website: fixed,
    created_at: fixed,
    plan: fixed,
    members_count: fixed,
    gateway_instances: fixed,
    sentinel_agents: fixed,
  })
  .meta({ id: 'OrganizationChanges' });

const force = z
  .enum(['true', 'false'], 'must be true or false')
  // Documents describe it as the boolean that its text states.
  .meta({ type: 'boolean', enum: undefined })
  .default('false')
  .meta({
    default: false,
    description: "Accepts an IP allowlist without the caller's address when true, from an owner.",
  });

const confirm = z
  .string("must be the organization's slug, to confirm the deletion of all its data")
  .describe("The organization's slug.");

/** Endpoints that update and delete an organization. */
export function organizationChangeEndpoints(
  organizations: Organizations,
  instances: Instances,
): Endpoint[] {
  const shared = {
    path: '/organizations/{org_id}',
    tag: 'Organizations',
    rateLimit: 'platform',
    params: organizationParams,
  } as const;
  return [
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'updateOrganization',
      summary: 'Change the name, the time zone or the IP allowlist of an organization',
      description:
        "Changes the given members and keeps the others. An IP allowlist without the caller's own address is refused with 409 unless force is true.",
      permission: 'organization:update',
      query: z.strictObject({ force }),
      body: organizationChanges,
      responses: { 200: { description: 'The organization', schema: organizationDetail } },
      errors: ['conflict'],
      async handler({ context, params, query, body, reply }) {
        const { name, timezone, settings } = body;
        const changes = { name, timezone, ipAllowlist: settings?.ip_allowlist };
        const options = { force: query.force === 'true' };
        const counts = await instances.count(params.org_id);
        const updated = await organizations.update(context, params.org_id, changes, options);
        return reply(200, toDetail(updated, counts));
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'deleteOrganization',
      summary: 'Delete an organization with all its data',
      description:
        "Deletes the organization, its members, credentials and all other data, at once and for good. The query must confirm it with the organization's slug.",
      permission: 'organization:delete',
      query: z.strictObject({ confirm }),
      responses: { 204: { description: 'The organization and its API keys are deleted' } },
      async handler({ context, params, query, reply }) {
        await organizations.delete(context, params.org_id, query.confirm);
        return reply(204);
      },
    }),
  ];
}
