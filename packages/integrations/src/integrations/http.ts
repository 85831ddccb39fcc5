import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { CheckIntegration } from './checks.ts';
import { CHECK_STEPS, STEP_RESULTS } from './checks.ts';
import { integrationChanges, newChatops, newItsm } from './input.ts';
import type { Integrations } from './integrations.ts';
import { toRoutingInput } from './routing.ts';
import type { Integration } from './types.ts';
import { INTEGRATION_STATUSES, INTEGRATION_TYPES, SEVERITIES } from './types.ts';

const status = z
  .enum(INTEGRATION_STATUSES)
  .describe('`failing` when the system refused the last call.');

const shownRouting = z
  .strictObject({
    severities: z.array(z.enum(SEVERITIES)),
    category: z.string().optional(),
    subcategory: z.string().optional(),
    team_id: z.string().optional(),
    channel_id: z.string().optional(),
    chat_id: z.string().optional(),
  })
  .meta({ id: 'Routing' });

const integrationSchema = z
  .strictObject({
    id: z.string(),
    type: z.enum(INTEGRATION_TYPES),
    status,
    instance_url: z.string().nullable().describe('Of an `itsm` integration.'),
    tenant_id: z.string().nullable().describe('Of a `chatops` integration.'),
    client_id: z.string(),
    routing: shownRouting.nullable().describe('Null while no alerts are sent.'),
    lastError: z.string().nullable().describe('Why the system refused the last call.'),
    lastErrorAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Integration' });

const check = z
  .strictObject({
    status,
    checks: z.array(
      z.strictObject({
        step: z.enum(CHECK_STEPS),
        result: z.enum(STEP_RESULTS),
        message: z.string().nullable().describe('Why the step has failed or was skipped.'),
      }),
    ),
  })
  .meta({ id: 'IntegrationCheck' });

const shared = { tag: 'Integrations', rateLimit: 'general' } as const;
/** The only plan with the feature `custom_integrations`. */
const FEATURE = { plan: 'enterprise' } as const;

/** Declares the endpoints of integrations (specification, "Integration set-up"; contract, section 8). */
export function integrationEndpoints(
  integrations: Integrations,
  checkIntegration: CheckIntegration,
): Endpoint[] {
  return [
    ...setupEndpoints(integrations),
    listEndpoint(integrations),
    ...itemEndpoints(integrations),
    testEndpoint(checkIntegration),
  ];
}

function setupEndpoints(integrations: Integrations): Endpoint[] {
  const responses = {
    201: { description: 'The integration', schema: dataObject(integrationSchema) },
  };
  const setup = {
    ...shared,
    ...FEATURE,
    method: 'POST',
    permission: 'integrations:write',
    responses,
    errors: ['already_exists'],
  } as const;
  return [
    endpoint({
      ...setup,
      path: '/integrations/itsm',
      operationId: 'connectItsm',
      summary: 'Connect ServiceNow',
      description:
        'Gets a token from the instance with the OAuth client credentials grant and stores the connection. Refused credentials, and an instance that does not answer within 10 seconds, are 422.',
      body: newItsm,
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await integrations.connectItsm(context, body)) });
      },
    }),
    endpoint({
      ...setup,
      path: '/integrations/chatops',
      operationId: 'connectChatops',
      summary: 'Connect Microsoft Teams',
      description:
        'Gets a token from the token endpoint of the tenant with the OAuth client credentials grant and stores the connection. Refused credentials, and an endpoint that does not answer within 10 seconds, are 422.',
      body: newChatops,
      async handler({ context, body, reply }) {
        return reply(201, { data: toWire(await integrations.connectChatops(context, body)) });
      },
    }),
  ];
}

function listEndpoint(integrations: Integrations): Endpoint {
  return endpoint({
    ...shared,
    method: 'GET',
    path: '/integrations',
    operationId: 'listIntegrations',
    summary: 'List integrations',
    description: 'Lists the connections to external systems, without their secrets.',
    permission: 'integrations:read',
    query: pageQuery,
    responses: {
      200: {
        description: 'A page of integrations, oldest first',
        schema: dataList(integrationSchema),
      },
    },
    async handler({ context, query, reply }) {
      const { items, total } = await integrations.list(context, query);
      return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
    },
  });
}

const params = z.strictObject({ integration_id: z.string() });

function itemEndpoints(integrations: Integrations): Endpoint[] {
  const item = { ...shared, path: '/integrations/{integration_id}', params } as const;
  const response = { description: 'The integration', schema: dataObject(integrationSchema) };
  return [
    endpoint({
      ...item,
      method: 'GET',
      operationId: 'getIntegration',
      summary: 'Get an integration',
      description: 'Returns one integration, without its secret.',
      permission: 'integrations:read',
      responses: { 200: response },
      async handler({ context, params: { integration_id: id }, reply }) {
        return reply(200, { data: toWire(await integrations.get(context, id)) });
      },
    }),
    endpoint({
      ...item,
      ...FEATURE,
      method: 'PATCH',
      operationId: 'updateIntegration',
      summary: 'Route alerts, or replace credentials',
      description:
        'Changes the given members and keeps the others. New credentials are verified as at set-up before they replace the former ones.',
      permission: 'integrations:write',
      body: integrationChanges,
      responses: { 200: response },
      async handler({ context, params: { integration_id: id }, body, reply }) {
        return reply(200, { data: toWire(await integrations.update(context, id, body)) });
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      operationId: 'deleteIntegration',
      summary: 'Disconnect a system',
      description: 'Deletes the integration with its secret. Alerts that wait are not sent.',
      permission: 'integrations:write',
      responses: { 204: { description: 'The integration is deleted' } },
      async handler({ context, params: { integration_id: id }, reply }) {
        await integrations.remove(context, id);
        return reply(204);
      },
    }),
  ];
}

function testEndpoint(checkIntegration: CheckIntegration): Endpoint {
  return endpoint({
    ...shared,
    ...FEATURE,
    method: 'POST',
    path: '/integrations/{integration_id}/test',
    params,
    operationId: 'testIntegration',
    summary: 'Test an integration',
    description:
      'Gets a new token; then reads the incident table of an `itsm` integration, or posts a message to the place that the routing of a `chatops` integration names. A step that fails is part of the answer.',
    permission: 'integrations:write',
    responses: { 200: { description: 'What was tried', schema: dataObject(check) } },
    async handler({ context, params: { integration_id: id }, reply }) {
      const { status, checks } = await checkIntegration(context, id);
      return reply(200, { data: { status, checks: [...checks] } });
    },
  });
}

function toWire(integration: Integration): z.infer<typeof integrationSchema> {
  const { id, type, target, clientId, lastError, lastErrorAt } = integration;
  return {
    id,
    type,
    status: integration.status,
    instance_url: type === 'itsm' ? target : null,
    tenant_id: type === 'chatops' ? target : null,
    client_id: clientId,
    routing: integration.routing && toRoutingInput(integration.routing),
    lastError,
    lastErrorAt: lastErrorAt?.toISOString() ?? null,
    createdAt: integration.createdAt.toISOString(),
    updatedAt: integration.updatedAt.toISOString(),
  };
}
