import { ProbityError } from '@probity/core';
import type { Endpoint, HttpMethod } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { z } from 'zod';
import { listResponse } from '../lists/http.ts';
import { toWholeList } from '../lists/response.ts';
import { jsonObject, READ, shared, WRITE } from '../resources/http.ts';
import { GROUP, RESOURCE_TYPES, SCHEMAS } from '../schemas/resource-types.ts';
import type { JsonObject } from '../schemas/types.ts';
import { toResourceTypeBody, toSchemaBody } from '../schemas/wire.ts';
import { toConfigBody } from './config.ts';

/** Options of the discovery endpoints. */
export interface DiscoveryOptions {
  /** URL of the SCIM interface, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Whether access tokens are issued. */
  readonly hasOauth: boolean;
  readonly hasGroups: boolean;
}

const query = z.object({
  filter: z.string().optional().describe('Refused: discovery endpoints take no filter.'),
});

const configuration = jsonObject('ScimServiceProviderConfig', 'RFC 7643, section 5.');
const DESCRIPTIONS = {
  ResourceType: jsonObject('ScimResourceType', 'RFC 7643, section 6.'),
  Schema: jsonObject('ScimSchema', 'RFC 7643, section 7.'),
};
const anyBody = jsonObject('ScimMeInput', 'Not read.').optional();

/** Declares `/ServiceProviderConfig`, `/ResourceTypes`, `/Schemas` and `/Me` (RFC 7644, sections 3.11 and 4). */
export function discoveryEndpoints(options: DiscoveryOptions): Endpoint[] {
  const { baseUrl, hasOauth, hasGroups } = options;
  const types = RESOURCE_TYPES.filter((type) => hasGroups || type !== GROUP);
  const schemas = SCHEMAS.filter((schema) => hasGroups || schema !== GROUP.schema);
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/ServiceProviderConfig',
      operationId: 'getScimServiceProviderConfig',
      summary: 'Get what the SCIM interface supports',
      description: 'RFC 7643, section 5, with the paging of RFC 9865.',
      permission: READ,
      query,
      responses: { 200: { description: 'The configuration', schema: configuration } },
      async handler({ query, reply }) {
        refuseFilter(query);
        return reply(200, toConfigBody(baseUrl(), hasOauth));
      },
    }),
    ...listEndpoints('ResourceType', () =>
      types.map((type) => toResourceTypeBody(type, baseUrl())),
    ),
    ...listEndpoints('Schema', () => schemas.map((schema) => toSchemaBody(schema, baseUrl()))),
    ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(meEndpoint),
  ];
}

function listEndpoints(
  name: 'ResourceType' | 'Schema',
  list: () => readonly JsonObject[],
): Endpoint[] {
  const idName = name === 'Schema' ? 'schema_id' : 'resource_type';
  const described = name === 'Schema' ? 'schema' : 'resource type';
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: `/${name}s`,
      operationId: `listScim${name}s`,
      summary: `List the ${described}s`,
      description: 'RFC 7644, section 4. A filter is refused.',
      permission: READ,
      query,
      responses: { 200: { description: 'All of them', schema: listResponse } },
      async handler({ query, reply }) {
        refuseFilter(query);
        return reply(200, toWholeList(list()));
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: `/${name}s/{${idName}}`,
      operationId: `getScim${name}`,
      summary: `Get a ${described}`,
      description: 'RFC 7644, section 4.',
      permission: READ,
      params: z.strictObject({ [idName]: z.string() }),
      query,
      responses: { 200: { description: `The ${described}`, schema: DESCRIPTIONS[name] } },
      async handler({ params, query, reply }) {
        refuseFilter(query);
        const [id = ''] = Object.values(params);
        const found = list().find((each) => String(each.id).toLowerCase() === id.toLowerCase());
        if (!found) throw new ProbityError('not_found', `${described} not found`);
        return reply(200, found);
      },
    }),
  ];
}

/** RFC 7644, section 4: a filter could not be answered by what discovery is for. */
function refuseFilter({ filter }: { readonly filter?: string | undefined }): void {
  if (filter === undefined) return;
  throw new ProbityError('forbidden', 'filter: discovery endpoints take no filter');
}

/** `/Me` is the person who sends a request; a token of an organization is none. */
function meEndpoint(method: HttpMethod): Endpoint {
  return endpoint({
    ...shared,
    method,
    path: '/Me',
    operationId: `${method.toLowerCase()}ScimMe`,
    summary: `${method} of /Me, which is not supported`,
    description: 'RFC 7644, section 3.11: a SCIM token is no user.',
    permission: method === 'GET' ? READ : WRITE,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: anyBody }),
    responses: {},
    errors: ['not_implemented'],
    async handler() {
      throw new ProbityError('not_implemented', '/Me is not supported: a SCIM token is no user');
    },
  });
}
