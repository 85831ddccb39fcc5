import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, oneOf, secretText, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { MAX_WEBHOOKS } from '../webhooks/limits.ts';
import { PORTAL_CAPABILITIES } from './capabilities.ts';
import type { PortalTokens } from './tokens.ts';
import { PORTAL_TOKEN_SECONDS } from './tokens.ts';

const { least, most, usual } = PORTAL_TOKEN_SECONDS;
const SECONDS_MESSAGE = `must be an integer from ${least} to ${most}`;

const capability = oneOf(PORTAL_CAPABILITIES).meta({
  id: 'PortalCapability',
  description:
    '- `view`: list and get webhooks, event types and statistics\n' +
    '- `endpoint`: create, change, turn on and delete webhooks\n' +
    '- `secret`: see the secret of a new webhook, and replace it\n' +
    '- `attempts`: list deliveries with their bodies, send them again, send tests',
});

const newPortalToken = z
  .strictObject({
    capabilities: z.array(capability).min(1, 'must name at least one capability'),
    expires_in_seconds: z
      .int(SECONDS_MESSAGE)
      .min(least, SECONDS_MESSAGE)
      .max(most, SECONDS_MESSAGE)
      .optional()
      .describe(`Seconds for which the token is valid, ${least} to ${most}; default ${usual}.`),
    webhookIds: z
      .array(z.string())
      .max(MAX_WEBHOOKS)
      .optional()
      .describe(
        'The only webhooks that the token may use; it then creates none. Default: all of the organization.',
      ),
  })
  .meta({ id: 'NewPortalToken' });

const portalToken = z
  .strictObject({
    id: z.string(),
    token: secretText().describe('A bearer token; returned only in this response.'),
    capabilities: z.array(capability),
    webhookIds: z.array(z.string()).nullable().describe('Null for all of the organization.'),
    expiresAt: timestamp,
  })
  .meta({ id: 'PortalToken' });

const portalTokenFilter = z
  .strictObject({
    id: z.string().min(1, 'must not be empty').optional(),
    memberId: z.string().min(1, 'must not be empty').optional(),
  })
  .refine(({ id, memberId }) => id === undefined || memberId === undefined, {
    path: ['memberId'],
    error: 'must not be given beside id',
  });

const shared = {
  tag: 'Webhooks',
  permission: 'webhook_portal_tokens:write',
  rateLimit: 'general',
} as const;

/** Declares the endpoints for portal tokens. */
export function portalTokenEndpoints(tokens: PortalTokens): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/webhooks/portal-tokens',
      operationId: 'createWebhookPortalToken',
      summary: 'Create a portal token',
      description:
        'Creates a token with which a customer manages webhooks of this organization: it is accepted by the ' +
        'webhook operations with one of its capabilities (`x-scope`), and by no other. It ends when it expires, ' +
        'is revoked, or the API key or session that made it ends.',
      body: newPortalToken,
      responses: {
        201: { description: 'The token', schema: dataObject(portalToken) },
      },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        const { capabilities, webhookIds, expires_in_seconds: expiresInSeconds } = body;
        const input = { capabilities, webhookIds, expiresInSeconds };
        const { expiresAt, ...issued } = await tokens.createPortalToken(context, input);
        const data = {
          ...issued,
          capabilities: [...issued.capabilities],
          webhookIds: issued.webhookIds && [...issued.webhookIds],
          expiresAt: expiresAt.toISOString(),
        };
        return reply(201, { data });
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/webhooks/portal-tokens',
      operationId: 'revokeWebhookPortalTokens',
      summary: 'Revoke portal tokens',
      description:
        'Ends every portal token of the organization, or only one (`id`), which is 404 when it is gone already, or ' +
        'only those that a member made (`memberId`).',
      query: portalTokenFilter,
      responses: { 204: { description: 'The tokens are not valid' } },
      errors: ['not_found'],
      async handler({ context, query: { id, memberId }, reply }) {
        if (id === undefined) await tokens.revokePortalTokens(context, { memberId });
        else await tokens.revokePortalToken(context, id);
        return reply(204);
      },
    }),
  ];
}
