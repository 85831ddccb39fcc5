import { ROLES, toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import {
  endpoint,
  nameText,
  oneOf,
  pageInfo,
  pageQuery,
  secretText,
  timestamp,
} from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import type { ApiKeys, ListedApiKey } from '../api-keys.ts';
import type { ApiKey } from '../types.ts';

const apiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    role: z.enum(ROLES),
    member_id: z.string().describe('The member whom the key belongs to.'),
    effective_role: z
      .enum(ROLES)
      .nullable()
      .describe("The role now: at most the member's. Null while the member is not active."),
    created_at: timestamp,
    last_used: timestamp.nullable(),
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

const newApiKey = z
  .strictObject({
    name: nameText(100),
    expires_in_days: z
      .int('must be an integer from 1 to 3650')
      .min(1, 'must be an integer from 1 to 3650')
      .max(3_650, 'must be an integer from 1 to 3650')
      .nullish()
      .describe('Days until the key expires, 1 to 3650; by default the key does not expire.'),
    role: oneOf(ROLES).nullish().describe("At most the creator's role; default admin."),
  })
  .meta({ id: 'NewApiKey' });

const issuedApiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    token: secretText().describe('Returned only in this response.'),
    expires_at: timestamp.nullable(),
    prefix: z.string(),
    role: z.enum(ROLES),
    created_at: timestamp,
  })
  .meta({ id: 'IssuedApiKey' });

/** Endpoints for API keys. */
export function apiKeyEndpoints(apiKeys: ApiKeys): Endpoint[] {
  const shared = { tag: 'API keys', rateLimit: 'platform' } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/organizations/{org_id}/api-keys',
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description:
        'Lists the API keys of the organization without their tokens. Revoked keys are not listed.',
      permission: 'api_keys:read',
      params: organizationParams,
      query: pageQuery,
      responses: {
        200: {
          description: 'A page of API keys; revoked keys are not listed',
          schema: z.strictObject({ api_keys: z.array(apiKey), ...pageInfo }),
        },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await apiKeys.list(context, query);
        return reply(200, { api_keys: items.map(toListed), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/organizations/{org_id}/api-keys',
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        "Creates a key for the calling member. The token is returned only in this response; the role can be at most the caller's own. An organization can have 500 keys; the next one is refused with 409.",
      permission: 'api_keys:write',
      params: organizationParams,
      body: newApiKey,
      responses: { 201: { description: 'The key with its token', schema: issuedApiKey } },
      errors: ['conflict'],
      async handler({ context, body, reply }) {
        const { key, token } = await apiKeys.create(context, {
          name: body.name,
          expiresInDays: body.expires_in_days ?? undefined,
          role: body.role ?? undefined,
        });
        return reply(201, { ...toFacts(key), token });
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/organizations/{org_id}/api-keys/{key_id}',
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description: 'Requests with the key are refused with 401 from now on. This cannot be undone.',
      permission: 'api_keys:write',
      params: organizationParams.extend({ key_id: z.string() }),
      responses: { 204: { description: 'The key is revoked' } },
      async handler({ context, params, reply }) {
        await apiKeys.revoke(context, params.key_id);
        return reply(204);
      },
    }),
  ];
}

function toListed(key: ListedApiKey): z.infer<typeof apiKey> {
  return {
    ...toFacts(key),
    member_id: key.memberId,
    effective_role: key.effectiveRole,
    last_used: key.lastUsed?.toISOString() ?? null,
  };
}

function toFacts(key: ApiKey): Omit<z.infer<typeof issuedApiKey>, 'token'> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    role: key.role,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
  };
}
