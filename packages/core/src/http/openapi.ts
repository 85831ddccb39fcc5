import { z } from 'zod';
import { COOKIES, CSRF_HEADER } from './cookies.ts';
import type { GroupDocumentation } from './documentation.ts';
import { joinDocumentation } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import { acceptsIdempotencyKey, endpoint, isBodyRequired, isStreamedBody } from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import type { DocumentedInterface } from './openapi-responses.ts';
import { toResponses } from './openapi-responses.ts';
import type { Components, Json } from './openapi-schemas.ts';
import { createComponents } from './openapi-schemas.ts';
import { toWebhooks } from './openapi-webhooks.ts';
import type { RouterOptions } from './router-options.ts';

/** Options of routers that a group may have for itself. */
export type GroupRouting = Partial<
  Pick<RouterOptions, 'authenticate' | 'confirm' | 'observe' | 'onFailure' | 'matching'>
>;

/** Endpoints that share a mount and an error format. */
export interface EndpointGroup {
  /** Path prefix of the endpoints, such as `/v1`. */
  readonly prefix: string;
  readonly errorFormat: ErrorFormat;
  readonly endpoints: readonly Endpoint[];
  /** Whether the group's router supports idempotency; default true. */
  readonly hasIdempotency?: boolean;
  /** Options of the group's router that differ from those of the other groups. */
  readonly routing?: GroupRouting;
  readonly documentation?: GroupDocumentation;
  /**
   * Whether hosts serve the endpoints only below the mount, as their own application may have the
   * same paths; default false.
   */
  readonly onlyBelowMount?: boolean;
  /** Whether the endpoints are left out of the API's document, since they have one of their own; default false. */
  readonly hasOwnDocument?: boolean;
}

/** Document-level fields of the API. */
export interface OpenApiInfo {
  readonly title: string;
  /** Version of the API. */
  readonly version: string;
  readonly description?: string;
  /** Base URLs. */
  readonly servers?: readonly string[];
}

/**
 * Generates the OpenAPI 3.1 document from the endpoints' declarations. Schemas with an identifier
 * (`.meta({ id: 'Webhook' })`) are under `components.schemas` by that name.
 * @throws Error when two endpoints share an operation id, or two schemas share a name
 */
export function createOpenApiDocument(info: OpenApiInfo, all: readonly EndpointGroup[]): Json {
  const { servers = [], ...rest } = info;
  const groups = all.filter(({ hasOwnDocument }) => !hasOwnDocument);
  const documentation = joinDocumentation(groups.map((group) => group.documentation));
  const components = createComponents();
  const paths = toPaths(groups, components);
  const webhooks = toWebhooks(documentation, components);
  return {
    openapi: '3.1.0',
    info: {
      contact: { name: 'Probity' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      ...rest,
    },
    ...(servers.length > 0 ? { servers: servers.map((url) => ({ url })) } : {}),
    tags: tagsOf(groups, documentation),
    paths,
    ...(Object.keys(webhooks).length > 0 ? { webhooks } : {}),
    components: { ...components.toJson(), securitySchemes: SECURITY_SCHEMES },
  };
}

/** Memoizes `make` for the current key; it runs again only when the key has changed. */
export function rememberLast<Value>(key: () => string, make: (key: string) => Value): () => Value {
  let last: { readonly key: string; readonly value: Value } | undefined;
  return () => {
    const present = key();
    if (last?.key !== present) last = { key: present, value: make(present) };
    return last.value;
  };
}

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (returned once, when it is created), the access token of a sign-in session, or, for ' +
      'operations with `x-scope`, a token that has this scope.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIES.access,
    description:
      'Set by a sign-in. Requests other than GET, HEAD and OPTIONS must send the csrf_token of the ' +
      `session in the header ${CSRF_HEADER}.`,
  },
};

const COOKIE = [{ cookie: [] }];

/** `GET /openapi.json`, relative to the root; needs no key. */
export function openApiEndpoints(document: () => Json): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApiDocument',
      summary: 'Get the OpenAPI 3.1 document of the whole API',
      description:
        'Returns the description of all operations, schemas and events for tools. Needs no API key.',
      tag: 'Status',
      permission: 'public',
      rateLimit: 'none',
      caching: 'revalidate',
      responses: {
        200: { description: 'The OpenAPI document', schema: z.record(z.string(), z.unknown()) },
      },
      handler: async ({ reply }) => reply(200, document()),
    }),
  ];
}

function tagsOf(groups: readonly EndpointGroup[], { tags = {} }: GroupDocumentation): Json[] {
  const names = groups.flatMap(({ endpoints }) => endpoints.map(({ tag }) => tag));
  return [...new Set(names)].map((name) => {
    const description = tags[name];
    return description === undefined ? { name } : { name, description };
  });
}

function toPaths(groups: readonly EndpointGroup[], components: Components): Record<string, Json> {
  const paths: Record<string, Json> = {};
  const operationIds = new Set<string>();
  for (const { prefix, endpoints, errorFormat, hasIdempotency = true, ...group } of groups) {
    const { documentation, routing } = group;
    // A group with an authentication of its own takes no sign-in sessions.
    const takesCookies = routing?.authenticate === undefined;
    for (const { endpoint, path, name } of endpoints.flatMap(withAliases)) {
      const { method, operationId } = endpoint;
      if (operationIds.has(operationId)) throw new Error(`Two endpoints are named ${operationId}.`);
      operationIds.add(operationId);
      const example = documentation?.examples?.[name] ?? {};
      const documented = { errorFormat, hasIdempotency, takesCookies, example };
      const operation = {
        ...toOperation(endpoint, documented, components),
        ...(name === operationId ? {} : { 'x-alias-of': name }),
      };
      // The root of a group is the group's address itself.
      const address = path === '/' && prefix !== '' ? prefix : prefix + path;
      paths[address] = { ...paths[address], [method.toLowerCase()]: operation };
    }
  }
  return paths;
}

/** An operation, and the name of the endpoint that it is one path of. */
interface NamedOperation {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly name: string;
}

/** The endpoint, and each alias as a separate operation. */
function withAliases(endpoint: Endpoint): NamedOperation[] {
  const { method, path, operationId, summary } = endpoint;
  const aliases = (endpoint.aliases ?? []).map((alias) => ({
    path: alias,
    name: operationId,
    endpoint: {
      ...endpoint,
      operationId: `${operationId}At${toName(alias)}`,
      summary: `${summary} (alias of ${method} ${path})`,
    },
  }));
  return [{ endpoint, path, name: operationId }, ...aliases];
}

/** Converts `/webhooks/create` to `WebhooksCreate`. */
function toName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]+([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
}

function toOperation(endpoint: Endpoint, of: DocumentedInterface, components: Components): Json {
  const { operationId, summary, tag, permission, scoped, plan, deprecation } = endpoint;
  const { takesCookies } = of;
  const description = describe(endpoint);
  const requestBody = toRequestBody(endpoint, of, components);
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    ...(deprecation ? { deprecated: true, 'x-sunset': deprecation.sunset } : {}),
    tags: [tag],
    security: permission === 'public' ? [] : [{ bearer: [] }, ...(takesCookies ? COOKIE : [])],
    ...(permission === 'public' ? {} : { 'x-permission': permission }),
    ...(scoped ? { 'x-scope': scoped.scope } : {}),
    ...(plan ? { 'x-plan': plan } : {}),
    parameters: toParameters(endpoint, of, components),
    ...(requestBody ? { requestBody } : {}),
    responses: toResponses(endpoint, of, components),
  };
}

function describe({ description, plan, deprecation }: Endpoint): string {
  const { since, sunset, link } = deprecation ?? {};
  return [
    description,
    plan && `Needs the plan ${plan} or a higher one.`,
    deprecation && `Deprecated since ${since}; ends at ${sunset}.${link ? ` See ${link}.` : ''}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function toRequestBody(
  endpoint: Endpoint,
  { errorFormat, example }: DocumentedInterface,
  components: Components,
): Json | null {
  const { body, accepts = errorFormat.accepts } = endpoint;
  if (!body) return null;
  const types = isStreamedBody(body) ? body.types : accepts;
  const documented = isStreamedBody(body) ? body.schema : body;
  const schema = documented ? components.toSchema(documented, 'input') : {};
  const media = example.request === undefined ? { schema } : { schema, example: example.request };
  // The example is of JSON; a table has the members of the schema as its columns.
  const content = Object.fromEntries(
    types.map((type) => [type, type.startsWith('text/') ? { schema } : media]),
  );
  return { required: isBodyRequired(endpoint), content };
}

/** See `http/idempotency.ts`. */
const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to retry: for 24 hours, requests with the same key get the first response, with ' +
    'Idempotent-Replayed: true, and have no further effect.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

function toParameters(
  endpoint: Endpoint,
  { hasIdempotency }: DocumentedInterface,
  components: Components,
): Json[] {
  const { params, query, headers } = endpoint;
  const parametersIn = (place: 'path' | 'query' | 'header', schema: z.ZodType | undefined) => {
    if (!schema) return [];
    const { properties = {}, required = [] } = components.toSchema(schema, 'input') as {
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
  const takesKey = hasIdempotency && acceptsIdempotencyKey(endpoint);
  return [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...parametersIn('header', headers),
    ...(takesKey ? [components.refer('parameters', 'IdempotencyKey', () => IDEMPOTENCY_KEY)] : []),
  ];
}
