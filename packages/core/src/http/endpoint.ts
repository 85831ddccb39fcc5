import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { CallContext } from '../context.ts';
import type { Permission } from '../contract/permissions.ts';
import type { Plan } from '../contract/plans.ts';
import type { MeteredQuota } from '../contract/quotas.ts';
import type { RateLimitClass } from '../contract/rate-limits.ts';
import type { Scope } from '../contract/scopes.ts';
import type { ErrorKind, FieldError } from '../errors.ts';
import type { BodyShare } from './body-budget.ts';
import type { Reply, ReplyFunction, ResponseDeclarations } from './reply.ts';

/** Methods that endpoints support. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Counts the memory that a reader needs besides the bytes of a body, such as parsed JSON. */
export type BodyMemory = Pick<BodyShare, 'take'>;

/** A request body that is read as it arrives, made by {@link stream}. */
export interface StreamedBody<Body = AsyncIterable<Uint8Array>> {
  readonly kind: 'stream';
  /** Accepted media types. */
  readonly types: readonly string[];
  /** Largest body in bytes, enforced while it is read. */
  readonly limit: number;
  /**
   * Reads the whole body before the handler is called, which gets the result. Absent: the handler reads
   * the body.
   */
  read?(chunks: AsyncIterable<Uint8Array>, memory: BodyMemory): Promise<Body>;
  /**
   * Whether the handler may keep the body, or most of it: then it counts as memory until the request is answered.
   * Default true.
   */
  readonly isKept?: boolean;
  /** The body as it is documented. */
  readonly schema?: z.ZodType | undefined;
  /** Type of `body` in the handler; never set. */
  readonly handed?: Body;
}

/** How credentials of limited scope may call an endpoint. */
export interface ScopedAccess {
  /** The scope that the credential must have. */
  readonly scope: Scope;
  /**
   * How a credential that is limited to certain resources is kept to them. `byParameter`: this
   * parameter of the path is the id of the resource, and any other is answered 404 as `kind`;
   * `by the handler`: it leaves others out; `none are used`. Default: such credentials are refused.
   */
  readonly resources?:
    | { readonly byParameter: string; readonly kind: string }
    | 'by the handler'
    | 'none are used';
}

/** When an endpoint was deprecated and when it is removed. */
export interface Deprecation {
  /** ISO 8601 date or time of the Deprecation header (RFC 9745). */
  readonly since: string;
  /** ISO 8601 date or time of the Sunset header (RFC 8594). */
  readonly sunset: string;
  /** URL of a page that names the replacement. */
  readonly link?: string;
}

/** Input of a handler: the caller, and the parts of the request in the declared types. */
export interface EndpointRequest<Params, Query, Headers, Body, Responses> {
  readonly context: CallContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The declared headers; all headers of the request when the endpoint declares none. */
  readonly headers: Headers;
  /** The units of the endpoint's quota that this call consumed; those that it needs where nothing is metered. */
  readonly units: number;
  /** Creates the response; its types follow from `responses`. */
  readonly reply: ReplyFunction<Responses>;
}

/** The declaration of one endpoint; routing, checks and documents are derived from it. */
export interface EndpointDeclaration<Params, Query, Headers, Body, Responses> {
  readonly method: HttpMethod;
  /**
   * Path relative to the mount, with parameters in braces as in OpenAPI: `/webhooks/{webhook_id}`.
   */
  readonly path: string;
  /** Further paths of the same endpoint, with the same parameters. */
  readonly aliases?: readonly string[];
  /** Unique in the whole API. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Section of the documentation. */
  readonly tag: string;
  /** The permission that the caller's role must have; `public` needs no credential. */
  readonly permission: Permission | 'public';
  /** Access of credentials of limited scope; default: they are refused. */
  readonly scoped?: ScopedAccess;
  /**
   * `people`: only the session of a person who signed in is accepted, no API key; for endpoints that
   * change how a person signs in. Default: every credential. Public endpoints have no caller.
   */
  readonly callers?: 'people';
  /**
   * Headers, in lower case, that may hold the API key where the request has no Authorization: for protocols of
   * others that send it there. Default: none.
   */
  readonly tokenHeaders?: readonly string[];
  /** The lowest plan that may call the endpoint; default: every plan. */
  readonly plan?: Plan;
  /**
   * The rate limit that calls count against, per credential or, for a public endpoint, per client
   * address. `none` only for endpoints that probes and documentation use.
   */
  readonly rateLimit: RateLimitClass | 'none';
  /**
   * A monthly quota that a call consumes in addition to `api_requests`, which every call consumes.
   */
  readonly quota?: Exclude<MeteredQuota, 'api_requests'>;
  /** Units of `quota` that a call consumes; default 1. */
  quotaUnits?(body: Body): number;
  /**
   * Whether a call that needs more units than remain consumes those that do remain, at least one, and goes on; the
   * handler is told how many. Default: it consumes none and is refused.
   */
  readonly isQuotaPartial?: boolean;
  /**
   * Whether calls are served after `api_requests` is used up, as needed for calls that resolve that
   * state; default false.
   */
  readonly allowedOverQuota?: boolean;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** Treatment of undeclared query parameters; default `refuse`, with an error that names them. */
  readonly unknownQuery?: 'refuse' | 'ignore';
  /** An object schema of the request headers that are used, with names in lower case. */
  readonly headers?: z.ZodType<Headers>;
  /** Schema of a JSON body, or {@link stream}. */
  readonly body?: z.ZodType<Body> | StreamedBody<Body>;
  /** Media types of a JSON body; default: those of the interface's error format. */
  readonly accepts?: readonly string[];
  /**
   * Faults of a parsed JSON body that would take too long to find in one turn of the event loop; the answer lists them with
   * the faults of the schema.
   */
  faultsOfBody?(body: unknown): Promise<readonly FieldError[]>;
  /** Called with a validated JSON body and its bytes: what parsing loses, such as digits of long numbers. */
  noteBody?(value: unknown, bytes: Uint8Array): void | Promise<void>;
  /** Largest JSON body in bytes; default 1 MiB, and 16 KiB for public endpoints. */
  readonly bodyLimit?: number;
  readonly responses: Responses;
  /** Errors in addition to those that every endpoint of this shape can return. */
  readonly errors?: readonly ErrorKind[];
  readonly deprecation?: Deprecation;
  /**
   * `revalidate`, for GET: the response changes seldom and is the same for all callers. It has an
   * ETag and `Cache-Control: no-cache`, is compressed for clients that accept gzip, and a request
   * with its tag in If-None-Match is answered 304. As long as the handler replies with the same
   * object, it is encoded once.
   */
  readonly caching?: 'revalidate';
  handler(request: EndpointRequest<Params, Query, Headers, Body, Responses>): Promise<Reply>;
}

/** An endpoint of any types, as used by routers and documents. */
export type Endpoint = EndpointDeclaration<
  unknown,
  unknown,
  unknown,
  unknown,
  ResponseDeclarations
>;

/**
 * Declares an endpoint; the types of the request's parts follow from their schemas, the type of
 * `reply` follows from the declared responses.
 *
 * @example
 * endpoint({
 *   method: 'GET',
 *   path: '/things/{thing_id}',
 *   params: z.strictObject({ thing_id: z.string() }),
 *   responses: { 200: { description: 'The thing', schema: dataObject(thing) } },
 *   async handler({ context, params, reply }) {
 *     return reply(200, { data: toWire(await things.get(context, params.thing_id)) });
 *   },
 *   ...
 * })
 */
export function endpoint<
  const Responses extends ResponseDeclarations,
  Params = undefined,
  Query = undefined,
  Headers = IncomingHttpHeaders,
  Body = undefined,
>(declaration: EndpointDeclaration<Params, Query, Headers, Body, Responses>): Endpoint {
  return Object.freeze(declaration) as unknown as Endpoint;
}

/**
 * Declares a body of these media types, up to `limit` bytes, that is read as it arrives: by the
 * handler, or by `read` before the handler is called. Its bytes count as memory unless `isKept` is false. A call whose body `read` has read may carry an
 * Idempotency-Key, for which two bodies are the same when the JSON of what was read is.
 */
export function stream<Body = AsyncIterable<Uint8Array>>(options: {
  readonly types: readonly string[];
  readonly limit: number;
  read?(chunks: AsyncIterable<Uint8Array>, memory: BodyMemory): Promise<Body>;
  readonly isKept?: boolean;
  readonly schema?: z.ZodType;
}): StreamedBody<Body> {
  return Object.freeze({ kind: 'stream', ...options });
}

/** Default limit of a JSON body in bytes (contract, section 9). */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** Default limit of a JSON body that needs no credential, in bytes. */
const PUBLIC_BODY_LIMIT = 16_384;

/** Largest JSON body of an endpoint, in bytes. */
export function bodyLimitOf({ bodyLimit, permission }: Endpoint): number {
  return bodyLimit ?? (permission === 'public' ? PUBLIC_BODY_LIMIT : DEFAULT_BODY_LIMIT);
}

/** Whether the body is read as it arrives. */
export function isStreamedBody(body: Endpoint['body']): body is StreamedBody<unknown> {
  return body !== undefined && 'kind' in body && body.kind === 'stream';
}

/**
 * Whether a call may carry an Idempotency-Key: the call changes state and has a credential that
 * owns the key (specification, "Retry rules"). Responses that are streamed, and bodies that the handler
 * reads, are excluded: their transaction would stay open for as long as the client takes to read or to send.
 */
export function acceptsIdempotencyKey(declaration: Endpoint): boolean {
  return isKeyedCall(declaration) && !isStreaming(declaration);
}

/** Whether an Idempotency-Key must be rejected because the endpoint cannot honor it. */
export function refusesIdempotencyKey(declaration: Endpoint): boolean {
  return isKeyedCall(declaration) && isStreaming(declaration);
}

function isKeyedCall({ method, permission }: Endpoint): boolean {
  return method !== 'GET' && permission !== 'public';
}

function isStreaming({ body, responses }: Endpoint): boolean {
  const isAnswerStreamed = Object.values(responses).some(
    ({ schema, mediaType }) => schema === undefined && mediaType !== undefined,
  );
  return isAnswerStreamed || (isStreamedBody(body) && !body.read);
}

/**
 * Whether a request's body is read. Where none is declared, the body of GET and DELETE has no
 * meaning (RFC 9110, sections 9.3.1 and 9.3.5), and any other must be empty.
 */
export function takesBody({ method, body }: Endpoint): boolean {
  return body !== undefined || (method !== 'GET' && method !== 'DELETE');
}

/** Whether a body is required. Costs a failed parse, so it is computed once per router. */
export function isBodyRequired({ body }: Endpoint): boolean {
  if (body === undefined) return false;
  return 'kind' in body ? true : !body.safeParse(undefined).success;
}

/**
 * Every error kind that an endpoint can return.
 * @param hasIdempotency whether the interface supports the Idempotency-Key header; default true
 */
export function errorsOf(declaration: Endpoint, hasIdempotency = true): ErrorKind[] {
  const kinds = new Set<ErrorKind>(declaration.errors);
  kinds.add('invalid_request').add('internal').add('unavailable');
  if (declaration.permission !== 'public') {
    kinds.add('validation_failed').add('unauthorized').add('forbidden');
  }
  if (declaration.rateLimit !== 'none') kinds.add('rate_limited');
  if (declaration.params) kinds.add('not_found');
  if (declaration.query || declaration.headers || takesBody(declaration)) {
    kinds.add('validation_failed');
  }
  if (hasIdempotency && acceptsIdempotencyKey(declaration)) kinds.add('conflict');
  if (takesBody(declaration)) kinds.add('payload_too_large').add('unsupported_media_type');
  return [...kinds];
}
