import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { CallContext } from '../context.ts';
import type { Permission } from '../contract/permissions.ts';
import type { Plan } from '../contract/plans.ts';
import type { MeteredQuota } from '../contract/quotas.ts';
import type { RateLimitClass } from '../contract/rate-limits.ts';
import type { ErrorKind } from '../errors.ts';
import type { Reply, ReplyFunction, ResponseDeclarations } from './reply.ts';

/** Methods that endpoints answer. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request body that the handler reads as it arrives, made by {@link stream}. */
export interface StreamedBody<Body = AsyncIterable<Uint8Array>> {
  readonly kind: 'stream';
  /** Media types that are accepted. */
  readonly types: readonly string[];
  /** Largest body in bytes, enforced while it is read. */
  readonly limit: number;
  /** The type of `body` in the handler; never set. */
  readonly handed?: Body;
}

/** When an endpoint was deprecated and when it ends. */
export interface Deprecation {
  /** ISO 8601 date or time of the header Deprecation (RFC 9745). */
  readonly since: string;
  /** ISO 8601 date or time of the header Sunset (RFC 8594). */
  readonly sunset: string;
  /** Address of a page that says what to use instead. */
  readonly link?: string;
}

/** What a handler is given: the caller, and the parts of the request in the types declared. */
export interface EndpointRequest<Params, Query, Headers, Body, Responses> {
  readonly context: CallContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The declared headers; all headers of the request where the endpoint declares none. */
  readonly headers: Headers;
  /** Makes the answer; its types follow from `responses`. */
  readonly reply: ReplyFunction<Responses>;
}

/** The declaration of one endpoint, from which routing, checks and documents are made. */
export interface EndpointDeclaration<Params, Query, Headers, Body, Responses> {
  readonly method: HttpMethod;
  /** Path below the mount, with parameters in braces as in OpenAPI: `/webhooks/{webhook_id}`. */
  readonly path: string;
  /** Further paths of the same endpoint, with the same parameters. */
  readonly aliases?: readonly string[];
  /** Unique over the whole API. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Section of the documents. */
  readonly tag: string;
  /** What the caller's role must allow; `public` needs no credential. */
  readonly permission: Permission | 'public';
  /** The least plan of the caller's organization; default: every plan. */
  readonly plan?: Plan;
  /**
   * The limit that a call counts against: the credential's, or, where the endpoint is public, the
   * client address's. `none` only for what probes and documents read.
   */
  readonly rateLimit: RateLimitClass | 'none';
  /** A monthly quota that a call spends besides `api_requests`, which every call spends. */
  readonly quota?: Exclude<MeteredQuota, 'api_requests'>;
  /** How many units of `quota` a call spends; default 1. */
  quotaUnits?(body: Body): number;
  /**
   * Whether calls are served although `api_requests` are spent, as calls must be that end such a
   * state; default false.
   */
  readonly allowedOverQuota?: boolean;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  /** What happens to query parameters that are not declared; default `refuse`, by name. */
  readonly unknownQuery?: 'refuse' | 'ignore';
  /** An object schema of the request headers that matter, with names in lower case. */
  readonly headers?: z.ZodType<Headers>;
  /** A schema of a JSON body, or {@link stream}. */
  readonly body?: z.ZodType<Body> | StreamedBody<Body>;
  /** Media types of a JSON body; default: those of the interface's error format. */
  readonly accepts?: readonly string[];
  /** Largest JSON body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  readonly responses: Responses;
  /** Errors besides those that every endpoint of this shape can give. */
  readonly errors?: readonly ErrorKind[];
  readonly deprecation?: Deprecation;
  handler(request: EndpointRequest<Params, Query, Headers, Body, Responses>): Promise<Reply>;
}

/** An endpoint of any types, as routers and documents see it. */
export type Endpoint = EndpointDeclaration<
  unknown,
  unknown,
  unknown,
  unknown,
  ResponseDeclarations
>;

/**
 * Declares an endpoint; the types of the request's parts follow from their schemas, that of `reply`
 * from the declared responses.
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

/** Declares a body of these media types that is read as it arrives, up to `limit` bytes. */
export function stream(options: {
  readonly types: readonly string[];
  readonly limit: number;
}): StreamedBody {
  return Object.freeze({ kind: 'stream', ...options });
}

/** Largest JSON body in bytes where an endpoint says nothing else (contract, section 9). */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** Whether the body is handed to the handler as it arrives. */
export function isStreamedBody(body: Endpoint['body']): body is StreamedBody<unknown> {
  return body !== undefined && 'kind' in body && body.kind === 'stream';
}

/**
 * Whether a call may carry an Idempotency-Key: it changes something, and a credential says whose
 * key it is (specification, "Retry rules"). A streamed body or answer is not kept: its transaction
 * would stay open for as long as the client takes to send or to read.
 */
export function acceptsIdempotencyKey(declaration: Endpoint): boolean {
  return isKeyedCall(declaration) && !isStreaming(declaration);
}

/** Whether an Idempotency-Key must be refused, since the caller would count on its effect. */
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
  return isAnswerStreamed || isStreamedBody(body);
}

/**
 * Whether a request's body is looked at. Where none is declared, that of GET and DELETE has no
 * meaning (RFC 9110, sections 9.3.1 and 9.3.5), and any other must be empty.
 */
export function takesBody({ method, body }: Endpoint): boolean {
  return body !== undefined || (method !== 'GET' && method !== 'DELETE');
}

/** Whether a request without a body is refused. Costs a failed parse; computed once per router. */
export function isBodyRequired({ body }: Endpoint): boolean {
  if (body === undefined) return false;
  return 'kind' in body ? true : !body.safeParse(undefined).success;
}

/**
 * Every error kind that an endpoint can answer with.
 * @param hasIdempotency whether the interface reads the header Idempotency-Key; default true
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
