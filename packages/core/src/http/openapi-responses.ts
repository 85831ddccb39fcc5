import type { ErrorKind } from '../errors.ts';
import { ERROR_CATALOG } from '../errors.ts';
import type { OperationExample } from './documentation.ts';
import type { Endpoint } from './endpoint.ts';
import { errorsOf } from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import { namesOf, toPascalCase } from './error-format.ts';
import type { Components, Json } from './openapi-schemas.ts';
import type { ResponseDeclaration } from './reply.ts';

/** An interface whose responses are documented. */
export interface DocumentedInterface {
  readonly errorFormat: ErrorFormat;
  /** Whether the Idempotency-Key header is supported. */
  readonly hasIdempotency: boolean;
  /** Whether the cookie of a sign-in session is accepted. */
  readonly takesCookies: boolean;
  /** An example of the operation. */
  readonly example: OperationExample;
}

/** Declared responses and errors by status; a status may have both. */
export function toResponses(
  endpoint: Endpoint,
  { errorFormat, hasIdempotency, example }: DocumentedInterface,
  components: Components,
): Json {
  const errors = new Map<number, ErrorKind[]>();
  for (const kind of errorsOf(endpoint, hasIdempotency)) {
    const status = errorFormat.status({ kind, status: ERROR_CATALOG[kind].status });
    errors.set(status, [...(errors.get(status) ?? []), kind]);
  }
  const statuses = new Set([...Object.keys(endpoint.responses).map(Number), ...errors.keys()]);
  const kept = endpoint.caching
    ? { 304: components.refer('responses', 'NotModified', () => NOT_MODIFIED) }
    : {};
  const name = responseNames(endpoint);
  const described = Object.fromEntries(
    [...statuses].map((status) => {
      const declared = endpoint.responses[status];
      const kinds = errors.get(status) ?? [];
      const error = { status, kinds, isCounted: isCounted(endpoint, status), errorFormat };
      return [
        status,
        declared
          ? toDeclared(declared, error, components, {
              title: name(status),
              example: example.responses?.[status],
            })
          : toShared(error, components),
      ];
    }),
  );
  return { ...described, ...kept };
}

const NOT_MODIFIED: Json = {
  description: 'The response has not changed: If-None-Match has its ETag.',
};

interface ErrorResponse {
  readonly status: number;
  readonly kinds: readonly ErrorKind[];
  /** Whether the response has rate limit headers. */
  readonly isCounted: boolean;
  readonly errorFormat: ErrorFormat;
}

function isCounted({ rateLimit, permission }: Endpoint, status: number): boolean {
  return rateLimit !== 'none' && (permission === 'public' || status !== 401);
}

/**
 * Names for the schemas of an operation's responses that have none, such as `ListAlertsResponse`:
 * generators of clients would number them, and so rename their types with every new operation.
 */
function responseNames({ operationId, responses }: Endpoint): (status: number) => string {
  const hasOne = Object.values(responses).filter(({ schema }) => schema).length === 1;
  return (status) => `${toPascalCase(operationId)}Response${hasOne ? '' : status}`;
}

/** What a response has besides its declaration. */
interface ResponseDocumentation {
  /** The name of its schema where that has none. */
  readonly title: string;
  readonly example: unknown;
}

/** A response used by this operation only. */
function toDeclared(
  declared: ResponseDeclaration,
  error: ErrorResponse,
  components: Components,
  { title, example }: ResponseDocumentation,
) {
  const { kinds, errorFormat } = error;
  const content = contentOf(declared, errorFormat, components);
  for (const media of Object.values(content)) {
    if ('properties' in media.schema) media.schema = { title, ...media.schema };
  }
  if (kinds.length > 0) {
    const mediaType = mediaTypeOf(errorFormat);
    const declaredSchema = content[mediaType]?.schema;
    // In one media type, only the codes of these errors distinguish them from the declared body.
    const errors = declaredSchema ? errorFormat.schemaOf(kinds) : errorFormat.schema;
    const schema = components.toSchema(errors, 'output');
    content[mediaType] = {
      schema: declaredSchema ? { anyOf: [declaredSchema, schema] } : schema,
    };
  }
  const own = Object.values(content)[0];
  if (own && example !== undefined) own.example = example;
  const headers = headersOf(error, components);
  return {
    description: [declared.description, ...kinds.map(describe)].join(' Or: '),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

interface MediaType {
  schema: Json;
  example?: unknown;
}

const EVENT_STREAM = 'text/event-stream';

function contentOf(
  { schema, mediaType, streamed }: ResponseDeclaration,
  errorFormat: ErrorFormat,
  components: Components,
): Record<string, MediaType> {
  const types = typeof mediaType === 'string' ? [mediaType] : (mediaType ?? []);
  if (schema) {
    const type = types[0] ?? mediaTypeOf(errorFormat);
    return { [type]: { schema: components.toSchema(schema, 'output') } };
  }
  if (streamed && types.includes(EVENT_STREAM)) {
    return { [EVENT_STREAM]: { schema: components.toSchema(streamed, 'output') } };
  }
  // OpenAPI describes bytes by their media type alone.
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  if (!streamed) return content;
  return { ...content, 'application/json': { schema: components.toSchema(streamed, 'output') } };
}

/** A response shared by all operations that return these errors. */
function toShared(error: ErrorResponse, components: Components): Json {
  const { kinds, errorFormat } = error;
  return components.refer('responses', nameOf(error), () => {
    const headers = headersOf(error, components);
    return {
      description: kinds.map(describe).join(' Or: '),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      content: {
        [mediaTypeOf(errorFormat)]: { schema: components.toSchema(errorFormat.schema, 'output') },
      },
    };
  });
}

/**
 * Builds the component name of an error response, such as `PlatformNotFound`. A suffix marks
 * responses that differ from the usual ones in the rate limit headers.
 */
function nameOf({ status, kinds, isCounted, errorFormat }: ErrorResponse): string {
  const usual = status !== 401;
  const suffix = isCounted === usual ? '' : isCounted ? 'Limited' : 'Unlimited';
  return toPascalCase(errorFormat.name) + namesOf(kinds) + suffix;
}

function describe(kind: ErrorKind): string {
  return ERROR_CATALOG[kind].message;
}

const RATE_LIMIT_HEADERS: Readonly<Record<string, Json>> = {
  'X-RateLimit-Limit': header('Requests allowed per window', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in the window', 'integer'),
  'X-RateLimit-Reset': header(
    'Unix time in seconds at which the oldest request leaves the window',
    'integer',
  ),
  'RateLimit-Policy': header(
    'The limit as a structured field: "<class>";q=<requests>;w=<seconds>',
    'string',
  ),
  RateLimit: header(
    'The remaining requests as a structured field: "<class>";r=<requests>;t=<seconds until the oldest request leaves the window>',
    'string',
  ),
};
const RETRY_AFTER = header('Seconds to wait before a retry', 'integer');
const WWW_AUTHENTICATE = header('The Bearer challenge', 'string');

function header(description: string, type: 'integer' | 'string'): Json {
  return { description, schema: type === 'integer' ? { type, minimum: 0 } : { type } };
}

/** Headers of responses with a status, in addition to those of every response. */
function headersOf({ status, isCounted }: ErrorResponse, components: Components): Json {
  const headers = {
    ...(isCounted ? RATE_LIMIT_HEADERS : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': WWW_AUTHENTICATE } : {}),
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, each]) => [
      name,
      components.refer('headers', name, () => each),
    ]),
  );
}

/** Media type of an interface, without parameters. */
function mediaTypeOf({ contentType }: ErrorFormat): string {
  return contentType.split(';')[0] as string;
}
