import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { MAX_BODY_BYTES } from '../bulk/limits.ts';
import { READ, shared } from '../resources/http.ts';
import { listQuery, listResponse, searchRequest } from './http.ts';
import { parseListRequest, parseSearchRequest } from './request.ts';
import { toListResponse } from './response.ts';
import type { SearchedType } from './search.ts';
import { searchAll } from './search.ts';

const ROOT = '/';
const PATH = '/.search';

/** Declares the lists over all resource types (RFC 7644, sections 3.4.2.1 and 3.4.3). */
export function searchEndpoints(types: readonly SearchedType[]): Endpoint[] {
  const definitions = types.map(({ resourceType }) => resourceType);
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: ROOT,
      operationId: 'listScimResources',
      summary: 'List users and groups',
      description:
        'RFC 7644, section 3.4.2.1: the base URL lists the resources of all types. Identity providers also test a connection with it.',
      permission: READ,
      query: listQuery,
      responses: { 200: { description: 'A page', schema: listResponse } },
      async handler({ context, query, reply }) {
        const request = parseListRequest(query, ROOT, definitions);
        return reply(200, toListResponse(request, await searchAll(types, context, request)));
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: PATH,
      operationId: 'searchScim',
      summary: 'List users and groups by a search request',
      description:
        'RFC 7644, section 3.4.3. Attributes that only one of the types has are unassigned in the others. Sorted by an attribute of both types, the first 10,000 resources can be listed.',
      permission: READ,
      body: searchRequest,
      bodyLimit: MAX_BODY_BYTES,
      responses: { 200: { description: 'A page', schema: listResponse } },
      async handler({ context, body, reply }) {
        const request = parseListRequest(parseSearchRequest(body), PATH, definitions);
        return reply(200, toListResponse(request, await searchAll(types, context, request)));
      },
    }),
  ];
}
