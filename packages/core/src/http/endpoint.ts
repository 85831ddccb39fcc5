import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { CallContext } from '../context.ts';
import type { Permission } from '../contract/permissions.ts';
import type { MeteredQuota } from '../contract/quotas.ts';
import type { RateLimitClass } from '../contract/rate-limits.ts';
import type { ErrorKind } from '../errors.ts';

/** Methods that endpoints answer. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One answer that an endpoint may give. */
export interface ResponseDeclaration {
  readonly description: string;
  /** Absent for an answer without a body. */
  readonly schema?: z.ZodType;
  /** Media type of an answer of bytes, see `Reply.file`; it has no schema. */
  readonly fileType?: string;
}

/** What a handler is given: the caller, and the parts of the request in the types declared. */
export interface EndpointRequest<Params, Query, Body> {
  readonly context: CallContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
}

/** What a handler answers. */
export interface Reply {
  /** One of the endpoint's declared statuses. */
  readonly status: number;
  /** Absent for an answer without a body. */
  readonly body?: unknown;
  /** An answer of bytes in place of JSON. */
  readonly file?: { readonly contentType: string; readonly bytes: Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

/** The declaration of one endpoint, from which routing, checks and documents are made. */
export interface EndpointDeclaration<Params, Query, Body> {
  readonly method: HttpMethod;
  /** Path below the mount, with parameters in braces as in OpenAPI: `/webhooks/{webhook_id}`. */
  readonly path: string;
  /** Unique over the whole API. */
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Section of the documents. */
  readonly tag: string;
  /** What the caller's role must allow; `public` needs no credential. */
  readonly permission: Permission | 'public';
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
   * Whether calls are served although `api_requests` are spent, as whatever helps the organization
   * out of that must be; default false.
   */
  readonly isServedWhenSpent?: boolean;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** Largest body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  readonly responses: Readonly<Record<number, ResponseDeclaration>>;
  /** Errors besides those that every endpoint of this shape can give. */
  readonly errors?: readonly ErrorKind[];
  handler(request: EndpointRequest<Params, Query, Body>): Promise<Reply>;
}

/** An endpoint of any types, as routers and documents see it. */
export type Endpoint = EndpointDeclaration<unknown, unknown, unknown>;

/** Declares an endpoint; the types of params, query and body follow from their schemas. */
export function endpoint<Params = undefined, Query = undefined, Body = undefined>(
  declaration: EndpointDeclaration<Params, Query, Body>,
): Endpoint {
  return Object.freeze(declaration) as Endpoint;
}

/** Largest body in bytes where an endpoint says nothing else (contract, section 9). */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/**
 * Whether a call of the endpoint may carry an Idempotency-Key: it changes something, and somebody
 * makes it (specification, "Retry rules"). Without a credential there is nobody to keep an answer for.
 */
export function isRepeatable({ method, permission }: Endpoint): boolean {
  return method !== 'GET' && permission !== 'public';
}

/**
 * Whether a request's body is looked at. Where none is declared, that of GET and DELETE has no
 * meaning (RFC 9110, sections 9.3.1 and 9.3.5), and any other must be empty.
 */
export function takesBody({ method, body }: Endpoint): boolean {
  return body !== undefined || (method !== 'GET' && method !== 'DELETE');
}

/** Every error kind that an endpoint can answer with. */
export function errorsOf(declaration: Endpoint): ErrorKind[] {
  const kinds = new Set<ErrorKind>(declaration.errors);
  kinds.add('invalid_request').add('internal').add('unavailable');
  if (declaration.permission !== 'public') {
    kinds.add('validation_failed').add('unauthorized').add('forbidden');
  }
  if (declaration.rateLimit !== 'none') kinds.add('rate_limited');
  if (declaration.params) kinds.add('not_found');
  if (declaration.query || takesBody(declaration)) kinds.add('validation_failed');
  if (isRepeatable(declaration)) kinds.add('conflict');
  if (takesBody(declaration)) kinds.add('payload_too_large').add('unsupported_media_type');
  return [...kinds];
}
