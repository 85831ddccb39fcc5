import type { Endpoint } from '@probity/core/koa';
import { endpoint, secretText, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import type { ScimAdministration, ScimStatus } from '../scim-administration.ts';

const MAX_OVERLAP_SECONDS = 7 * 86_400;
const OVERLAP_MESSAGE = `must be an integer from 0 to ${MAX_OVERLAP_SECONDS}`;

const MAX_LIFETIME_DAYS = 3_650;
const LIFETIME_MESSAGE = `must be an integer from 1 to ${MAX_LIFETIME_DAYS}`;

const statusShape = {
  enabled: z.boolean(),
  base_url: z.string(),
  token_prefix: z.string().nullable(),
  created_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  last_used: timestamp.nullable(),
  user_count: z.int().nullable().describe('Number of SCIM users; null where it is not known.'),
  group_count: z.int().nullable().describe('Number of SCIM groups; null where it is not known.'),
};

const scimStatus = z.strictObject(statusShape).meta({ id: 'ScimStatus' });

const issuedScimToken = z
  .strictObject({
    token: secretText().describe('Returned only in this response.'),
    ...statusShape,
  })
  .meta({ id: 'IssuedScimToken' });

const enabling = z
  .strictObject({
    overlap_seconds: z
      .int(OVERLAP_MESSAGE)
      .min(0, OVERLAP_MESSAGE)
      .max(MAX_OVERLAP_SECONDS, OVERLAP_MESSAGE)
      .optional()
      .describe(
        `Seconds for which the previous token stays valid, 0 to ${MAX_OVERLAP_SECONDS}; default 0.`,
      ),
    expires_in_days: z
      .int(LIFETIME_MESSAGE)
      .min(1, LIFETIME_MESSAGE)
      .max(MAX_LIFETIME_DAYS, LIFETIME_MESSAGE)
      .optional()
      .describe(
        `Days until the token expires, 1 to ${MAX_LIFETIME_DAYS}; by default it does not expire.`,
      ),
  })
  .meta({ id: 'ScimEnabling' })
  .optional();

/** Endpoints for SCIM administration. */
export function scimAdministrationEndpoints(scim: ScimAdministration): Endpoint[] {
  const shared = {
    path: '/organizations/{org_id}/scim',
    tag: 'SCIM administration',
    rateLimit: 'platform',
    params: organizationParams,
  } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'getScimStatus',
      summary: 'Get the SCIM status and base URL',
      description:
        'Returns whether SCIM is enabled, the base URL for the identity provider, and facts about the current token.',
      permission: 'scim:read',
      responses: { 200: { description: 'The SCIM status', schema: scimStatus } },
      handler: async ({ context, reply }) => reply(200, toWire(await scim.status(context))),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      operationId: 'enableScim',
      summary: 'Enable SCIM, or replace its token',
      description:
        'Issues a SCIM token, which is returned only in this response. A previous token becomes invalid at once, or after overlap_seconds.',
      permission: 'scim:write',
      body: enabling,
      responses: {
        201: { description: 'The SCIM status with the new token', schema: issuedScimToken },
      },
      async handler({ context, body, reply }) {
        const { issued, ...status } = await scim.enable(context, {
          overlapSeconds: body?.overlap_seconds,
          expiresInDays: body?.expires_in_days,
        });
        return reply(201, { token: issued.token, ...toWire(status) });
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      operationId: 'disableScim',
      summary: 'Disable SCIM',
      description:
        'Makes all SCIM tokens of the organization invalid. Members that were provisioned remain.',
      permission: 'scim:write',
      responses: { 204: { description: 'SCIM is disabled and all SCIM tokens are invalid' } },
      async handler({ context, reply }) {
        await scim.disable(context);
        return reply(204);
      },
    }),
  ];
}

function toWire(status: ScimStatus): z.infer<typeof scimStatus> {
  const { baseUrl, token, users, groups } = status;
  return {
    enabled: token !== null,
    base_url: baseUrl,
    token_prefix: token?.prefix ?? null,
    created_at: token?.createdAt.toISOString() ?? null,
    expires_at: token?.expiresAt?.toISOString() ?? null,
    last_used: token?.lastUsed?.toISOString() ?? null,
    user_count: users,
    group_count: groups,
  };
}
