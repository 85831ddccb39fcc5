import { z } from 'zod';
import { ERROR_CATALOGUE, ProbityError } from '../errors.ts';
import { COOKIES, CSRF_HEADER } from './cookies.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint, errorsOf, isRepeatable } from './endpoint.ts';

/** Endpoints that share a mount and an error form. */
export interface EndpointGroup {
  /** Path that the endpoints stand under, such as `/v1`. */
  readonly prefix: string;
  readonly dialect: ErrorDialect;
  readonly endpoints: readonly Endpoint[];
}

/** What a document says of the whole API. */
export interface OpenApiInfo {
  readonly title: string;
  /** Version of the API. */
  readonly version: string;
  readonly description?: string;
  /** Base addresses. */
  readonly servers?: readonly string[];
}

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of the endpoints, made from their declarations alone.
 * @throws Error when two endpoints share an operation id
 */
export function createOpenApiDocument(info: OpenApiInfo, groups: readonly EndpointGroup[]): Json {
  const { servers = [], ...rest } = info;
  const paths: Record<string, Json> = {};
  const operationIds = new Set<string>();
  for (const group of groups) {
    for (const endpoint of group.endpoints) {
      const { method, operationId } = endpoint;
      if (operationIds.has(operationId)) throw new Error(`Two endpoints are named ${operationId}.`);
      operationIds.add(operationId);
      const path = group.prefix + endpoint.path;
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: toOperation(endpoint, group.dialect),
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }, ...rest },
    ...(servers.length > 0 ? { servers: servers.map((url) => ({ url })) } : {}),
    tags: tagsOf(groups),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, as shown once when it is created, or the access token of a person who signed in.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: COOKIES.access,
          description:
            'Set by a sign-in. Requests that change something must repeat the csrf_token of the ' +
            `session in the header ${CSRF_HEADER}.`,
        },
      },
    },
  };
}

/** `GET /openapi.json`, relative to the root; needs no key. */
export function openApiEndpoints(document: () => Json): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      summary: 'Get the OpenAPI 3.1 document of the whole API',
      tag: 'Status',
      permission: 'public',
      rateLimit: 'none',
      responses: {
        200: { description: 'The document', schema: z.record(z.string(), z.unknown()) },
      },
      handler: async () => ({ status: 200, body: document() }),
    }),
  ];
}

function tagsOf(groups: readonly EndpointGroup[]): Json[] {
  const names = groups.flatMap(({ endpoints }) => endpoints.map(({ tag }) => tag));
  return [...new Set(names)].map((name) => ({ name }));
}

function toOperation(endpoint: Endpoint, dialect: ErrorDialect): Json {
  const { operationId, summary, description, tag, permission, body } = endpoint;
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    security: permission === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    ...(permission === 'public' ? {} : { 'x-permission': permission }),
    parameters: toParameters(endpoint),
    ...(body
      ? {
          requestBody: {
            required: !body.safeParse(undefined).success,
            content: { 'application/json': { schema: toSchema(body, 'input') } },
          },
        }
      : {}),
    responses: toResponses(endpoint, dialect),
  };
}

/** See `http/idempotency.ts`. */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat: for 24 hours the same key gets the first answer again, with ' +
    'Idempotent-Replayed: true, and has no second effect.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

function toParameters(endpoint: Endpoint): Json[] {
  const { params, query } = endpoint;
  const parametersIn = (place: 'path' | 'query', schema: z.ZodType | undefined) => {
    if (!schema) return [];
    const { properties = {}, required = [] } = toSchema(schema, 'input') as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: property,
    }));
  };
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...(isRepeatable(endpoint) ? [IDEMPOTENCY_KEY] : []),
  ];
}

interface DocumentedResponse {
  readonly description: string;
  readonly mediaType: string;
  /** Absent for an answer without a body. */
  readonly schema?: object;
}

/** Declared answers and errors by status; where both have one, either may come. */
function toResponses(endpoint: Endpoint, dialect: ErrorDialect): Json {
  const byStatus = new Map<number, DocumentedResponse[]>();
  const add = (status: number, response: DocumentedResponse) => {
    byStatus.set(status, [...(byStatus.get(status) ?? []), response]);
  };
  for (const [status, declared] of Object.entries(endpoint.responses)) {
    const { description, schema, fileType } = declared;
    const mediaType = fileType ?? 'application/json';
    const body = schema ? { schema: toSchema(schema, 'output') } : {};
    // OpenAPI describes bytes by their media type alone.
    add(Number(status), { description, mediaType, ...(fileType ? { schema: {} } : body) });
  }
  for (const kind of errorsOf(endpoint)) {
    const { message: description } = ERROR_CATALOGUE[kind];
    const schema = dialect.schema(kind);
    const status = dialect.status(new ProbityError(kind));
    add(status, { description, mediaType: mediaType(dialect), schema });
  }
  const headers = (status: number) => headersOf(endpoint, status);
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [status, toResponse(each, headers(status))]),
  );
}

/** The headers that answers of a status carry besides those of every answer. */
function headersOf({ rateLimit, permission }: Endpoint, status: number): Json {
  const header = (description: string, type: 'integer' | 'string') => ({
    description,
    schema: { type },
  });
  const isCounted = rateLimit !== 'none' && (permission === 'public' || status !== 401);
  return {
    ...(isCounted && {
      'X-RateLimit-Limit': header('Requests allowed in the window', 'integer'),
      'X-RateLimit-Remaining': header('Requests left in the window', 'integer'),
      'X-RateLimit-Reset': header('Unix time when the oldest request leaves it', 'integer'),
      'RateLimit-Policy': header(
        `The limit as a structured field: "${rateLimit}";q=<requests>;w=<seconds>`,
        'string',
      ),
      RateLimit: header(
        `What is left of it: "${rateLimit}";r=<requests>;t=<seconds until the oldest leaves>`,
        'string',
      ),
    }),
    ...((status === 429 || status === 503) && {
      'Retry-After': header('Seconds until a repetition may succeed', 'integer'),
    }),
    ...(status === 401 && { 'WWW-Authenticate': header('The Bearer challenge', 'string') }),
  };
}

function toResponse(alternatives: readonly DocumentedResponse[], headers: Json): Json {
  const schemas = alternatives.flatMap(({ schema }) => schema ?? []);
  const description = alternatives.map((each) => each.description).join(' Or: ');
  const facts = Object.keys(headers).length > 0 ? { description, headers } : { description };
  if (schemas.length === 0) return facts;
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  return { ...facts, content: { [alternatives[0]?.mediaType as string]: { schema } } };
}

function mediaType({ contentType }: ErrorDialect): string {
  return contentType.split(';')[0] as string;
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}
