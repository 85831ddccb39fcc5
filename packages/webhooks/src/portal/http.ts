import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import {
  dataList,
  dataObject,
  endpoint,
  pageQuery,
  secretText,
  timestamp,
} from '@probity/core/koa';
import { z } from 'zod';
import { capabilityList, memberId, newPortalTokenMembers } from './input.ts';
import type { PortalToken, PortalTokens } from './tokens.ts';

const { capabilities, webhookIds, seconds } = newPortalTokenMembers;

const newPortalToken = z
  .strictObject({ capabilities, expires_in_seconds: seconds, webhookIds })
  .meta({ id: 'NewPortalToken' });

const portalToken = z
  .strictObject({
    id: z.string(),
    memberId: z.string().describe('The member who made it.'),
    capabilities: capabilityList,
    webhookIds: z.array(z.string()).nullable().describe('Null for all of the organization.'),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'PortalToken' });

const issuedPortalToken = portalToken
  .extend({ token: secretText().describe('A bearer token; returned only in this response.') })
  .meta({ id: 'IssuedPortalToken' });

const portalTokenFilter = z
  .strictObject({
    id: z.string().min(1, 'must not be empty').optional(),
    memberId: memberId.optional(),
  })
  .refine(({ id, memberId }) => id === undefined || memberId === undefined, {
    path: ['memberId'],
    error: 'must not be given beside id',
  });

const shared = { tag: 'Webhooks', rateLimit: 'general', path: '/webhooks/portal-tokens' } as const;

/** Declares the endpoints for portal tokens. */
export function portalTokenEndpoints(tokens: PortalTokens): Endpoint[] {
  return [createEndpoint(tokens), listEndpoint(tokens), revokeEndpoint(tokens)];
}

function createEndpoint(tokens: PortalTokens): Endpoint {
  return endpoint({
    ...shared,
    method: 'POST',
    permission: 'webhook_portal_tokens:write',
    operationId: 'createWebhookPortalToken',
    summary: 'Create a portal token',
    description:
      'Creates a token with which a customer manages webhooks of this organization: it is accepted by the ' +
      'webhook operations with one of its capabilities (`x-scope`), and by no other. It ends when it expires, ' +
      'is revoked, or the API key or session that made it ends.',
    body: newPortalToken,
    responses: {
      201: { description: 'The token', schema: dataObject(issuedPortalToken) },
    },
    errors: ['conflict'],
    async handler({ context, body, reply }) {
      const { capabilities, webhookIds, expires_in_seconds: expiresInSeconds } = body;
      const input = { capabilities, webhookIds, expiresInSeconds };
      const { token, ...issued } = await tokens.createPortalToken(context, input);
      return reply(201, { data: { ...toWire(issued), token } });
    },
  });
}

function listEndpoint(tokens: PortalTokens): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    permission: 'webhook_portal_tokens:read',
    operationId: 'listWebhookPortalTokens',
    summary: 'List portal tokens',
    description:
      'Lists the tokens that have not expired or been revoked, or those of them that a member made (`memberId`). A ' +
      'token whose API key, session or member has ended is listed until it expires, and is not valid.',
    query: pageQuery.extend({ memberId: memberId.optional() }),
    responses: {
      200: {
        description: 'A page of tokens, the last to expire first',
        schema: dataList(portalToken),
      },
    },
    async handler({ context, query: { memberId, ...page }, reply }) {
      const { items, total } = await tokens.listPortalTokens(context, { memberId }, page);
      return reply(200, { data: items.map(toWire), ...toPageInfo(page, total) });
    },
  });
}

function revokeEndpoint(tokens: PortalTokens): Endpoint {
  return endpoint({
    ...shared,
    method: 'DELETE',
    permission: 'webhook_portal_tokens:write',
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
  });
}

function toWire({
  capabilities,
  webhookIds,
  createdAt,
  expiresAt,
  ...token
}: PortalToken): z.infer<typeof portalToken> {
  return {
    ...token,
    capabilities: [...capabilities],
    webhookIds: webhookIds && [...webhookIds],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
