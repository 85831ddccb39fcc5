import type { Permission } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { z } from 'zod';
import { MAX_BODY_BYTES } from '../bulk/limits.ts';
import { listQuery, listResponse, searchRequest } from '../lists/http.ts';
import { parseListRequest, parseSearchRequest } from '../lists/request.ts';
import { toListResponse } from '../lists/response.ts';
import { QUIRKS } from '../patch/quirks.ts';
import type { JsonObject, ResourceTypeDefinition } from '../schemas/types.ts';
import { parseAttributes } from './projection.ts';
import type { Resources } from './resources.ts';
import type { Preconditions } from './versions.ts';
import { isKnownVersion } from './versions.ts';

/** What the endpoints of SCIM have in common. */
export const shared = {
  tag: 'SCIM',
  rateLimit: 'scim',
  unknownQuery: QUIRKS.unknownParameters.read,
} as const;

/** Permissions of reading and writing endpoints. */
export const READ: Permission = 'provisioning:read';
export const WRITE: Permission = 'provisioning:write';

const names = z.string().optional().describe('Names of attributes, separated by commas.');

/** The query of requests that answer with one resource. */
const projectionQuery = z.object({ attributes: names, excludedAttributes: names });

const etags = z.string().optional().describe('Versions, as in `meta.version`.');
const changeHeaders = z.object({ 'if-match': etags });
const readHeaders = z.object({ 'if-none-match': etags });

/** A named schema of a JSON object of any members, which the services check. */
export function jsonObject(id: string, description: string): z.ZodType<JsonObject> {
  return z.looseObject({}).meta({ id, description }) as unknown as z.ZodType<JsonObject>;
}

/** The endpoints of one resource type. */
export interface ResourceEndpointOptions {
  readonly resourceType: ResourceTypeDefinition;
  readonly resources: Resources;
  /** Whether a PATCH is answered with the resource, or with 204 unless attributes are asked for. */
  readonly patchAnswer: 'resource' | 'on request';
}

/** Declares the endpoints of a resource type (RFC 7644, section 3). */
export function resourceEndpoints(options: ResourceEndpointOptions): Endpoint[] {
  const { name } = options.resourceType;
  const idName = `scim_${name.toLowerCase()}_id`;
  const schemas = {
    idName,
    params: z.strictObject({ [idName]: z.string() }),
    resource: z
      .looseObject({ schemas: z.array(z.string()), id: z.string() })
      .meta({ id: `Scim${name}` }),
    input: z
      .looseObject({})
      .meta({ id: `Scim${name}Input`, description: `A ${name} as RFC 7643 defines it.` }),
    patch: z.looseObject({}).meta({
      id: `Scim${name}Patch`,
      description: 'PATCH operations (RFC 7644, section 3.5.2), applied all or none.',
    }),
  };
  return [
    ...collectionEndpoints(options, schemas),
    ...readEndpoints(options, schemas),
    ...changeEndpoints(options, schemas),
  ];
}

interface Schemas {
  /** Name of the parameter of the path: unique in the API, as those of other interfaces are. */
  readonly idName: string;
  readonly params: z.ZodType<Readonly<Record<string, string>>>;
  readonly resource: z.ZodType;
  readonly input: z.ZodType;
  readonly patch: z.ZodType;
}

function collectionEndpoints(
  { resourceType, resources }: ResourceEndpointOptions,
  { resource, input }: Schemas,
): Endpoint[] {
  const { name, endpoint: path } = resourceType;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path,
      operationId: `listScim${name}s`,
      summary: `List ${name}s`,
      description: 'By filter, in pages by number (startIndex) or by cursor (RFC 9865).',
      permission: READ,
      query: listQuery,
      responses: { 200: { description: 'A page', schema: listResponse } },
      async handler({ context, query, reply }) {
        const request = parseListRequest(query, path);
        return reply(200, toListResponse(request, await resources.list(context, request)));
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: `${path}/.search`,
      operationId: `searchScim${name}s`,
      summary: `List ${name}s by a search request`,
      description:
        'As the list, with the parameters in the body (RFC 7644, section 3.4.3): a filter in a URL may be logged.',
      permission: READ,
      body: searchRequest,
      bodyLimit: MAX_BODY_BYTES,
      responses: { 200: { description: 'A page', schema: listResponse } },
      async handler({ context, body, reply }) {
        const request = parseListRequest(parseSearchRequest(body), path);
        return reply(200, toListResponse(request, await resources.list(context, request)));
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path,
      operationId: `createScim${name}`,
      summary: `Create a ${name}`,
      description:
        'RFC 7644, section 3.3. A name that is taken, in any letter case, is refused with 409.',
      permission: WRITE,
      query: projectionQuery,
      body: input,
      bodyLimit: MAX_BODY_BYTES,
      responses: { 201: { description: `The ${name}`, schema: resource } },
      errors: ['already_exists'],
      async handler({ context, query, body, reply }) {
        const sent = await resources.create(context, body, parseAttributes(query));
        return reply(201, sent.body, { headers: sent.headers });
      },
    }),
  ];
}

function readEndpoints(
  { resourceType, resources }: ResourceEndpointOptions,
  { idName, params, resource }: Schemas,
): Endpoint[] {
  const { name, endpoint: path } = resourceType;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: `${path}/{${idName}}`,
      operationId: `getScim${name}`,
      summary: `Get a ${name}`,
      description: 'With its version as ETag; one that If-None-Match names is answered with 304.',
      permission: READ,
      params,
      query: projectionQuery,
      headers: readHeaders,
      responses: {
        200: { description: `The ${name}`, schema: resource },
        304: { description: 'The client has this version already' },
      },
      async handler({ context, params, query, headers, reply }) {
        const sent = await resources.get(context, idOf(params), parseAttributes(query));
        const preconditions = { ifNoneMatch: headers['if-none-match'] };
        if (isKnownVersion(sent.version, preconditions)) {
          return reply(304, undefined, { headers: { ETag: sent.headers.ETag } });
        }
        return reply(200, sent.body, { headers: sent.headers });
      },
    }),
  ];
}

function changeEndpoints(
  { resourceType, resources, patchAnswer }: ResourceEndpointOptions,
  { idName, params, resource, input, patch }: Schemas,
): Endpoint[] {
  const { name, endpoint: collection } = resourceType;
  const path = `${collection}/{${idName}}`;
  const change = {
    ...shared,
    path,
    permission: WRITE,
    params,
    query: projectionQuery,
    headers: changeHeaders,
    bodyLimit: MAX_BODY_BYTES,
    errors: ['already_exists', 'precondition_failed'],
  } as const;
  return [
    endpoint({
      ...change,
      method: 'PUT',
      operationId: `replaceScim${name}`,
      summary: `Replace a ${name}`,
      description: 'RFC 7644, section 3.5.1. Attributes that only the server sets are ignored.',
      body: input,
      responses: { 200: { description: `The ${name}`, schema: resource } },
      async handler({ context, params, query, headers, body, reply }) {
        const projection = parseAttributes(query);
        const preconditions = toPreconditions(headers);
        const sent = await resources.replace(context, idOf(params), {
          body,
          projection,
          preconditions,
        });
        return reply(200, sent.body, { headers: sent.headers });
      },
    }),
    endpoint({
      ...change,
      method: 'PATCH',
      operationId: `patchScim${name}`,
      summary: `Change a ${name}`,
      description:
        'Applies the operations of RFC 7644, section 3.5.2, and the forms that identity providers send; all or none.',
      body: patch,
      responses: {
        200: { description: `The changed ${name}`, schema: resource },
        204: { description: `The ${name} is changed; sent unless attributes are asked for` },
      },
      async handler({ context, params, query, headers, body, reply }) {
        const isAsked = query.attributes !== undefined || query.excludedAttributes !== undefined;
        const isSent = isAsked || patchAnswer === 'resource';
        // What is not sent is not read either.
        const projection = parseAttributes(isSent ? query : { attributes: 'id' });
        const preconditions = toPreconditions(headers);
        const sent = await resources.patch(context, idOf(params), {
          body,
          projection,
          preconditions,
        });
        return isSent
          ? reply(200, sent.body, { headers: sent.headers })
          : reply(204, undefined, { headers: { ETag: sent.headers.ETag } });
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path,
      operationId: `deleteScim${name}`,
      summary: `Delete a ${name}`,
      description: 'Final: the identifier is not found from now on, and is a member of no group.',
      permission: WRITE,
      params,
      headers: changeHeaders,
      responses: { 204: { description: `The ${name} is deleted` } },
      errors: ['conflict', 'precondition_failed'],
      async handler({ context, params, headers, reply }) {
        await resources.remove(context, idOf(params), toPreconditions(headers));
        return reply(204);
      },
    }),
  ];
}

/** The only parameter of the path. */
function idOf(params: Readonly<Record<string, string>>): string {
  return Object.values(params)[0] ?? '';
}

function toPreconditions(headers: { readonly 'if-match'?: string | undefined }): Preconditions {
  return { ifMatch: headers['if-match'] };
}
