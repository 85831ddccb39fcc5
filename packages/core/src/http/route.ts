import type { z } from 'zod';
import type { BodyRules } from './body-rules.ts';
import type { Deprecation, Endpoint, StreamedBody } from './endpoint.ts';
import {
  acceptsIdempotencyKey,
  bodyLimitOf,
  isBodyRequired,
  isStreamedBody,
  refusesIdempotencyKey,
  takesBody,
} from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import type { ReplyCheck } from './reply-check.ts';
import { createReplyCheck } from './reply-check.ts';
import type { ResponseCache } from './representations.ts';
import { createResponseCache } from './representations.ts';
import { checkScopedAccess } from './scoped-access.ts';
import { containsSecret } from './secret-fields.ts';

/** Body handling of an endpoint's requests. */
interface BodyPlan extends BodyRules {
  /** Absent for a streamed body, and when only an empty body is accepted. */
  readonly schema: z.ZodType | undefined;
  readonly isStreamed: boolean;
  /** Whether a streamed body counts as memory. */
  readonly isKept: boolean;
  /** Reads a streamed body before the handler is called. */
  readonly read: StreamedBody<unknown>['read'];
  readonly isRequired: boolean;
}

/** An endpoint with everything derived from its declaration, computed once per router. */
export interface Route {
  readonly declaration: Endpoint;
  /** Null when the body is ignored. */
  readonly body: BodyPlan | null;
  /** Names of the declared headers. */
  readonly headerNames: readonly string[] | null;
  /** Names of the declared query parameters when others are ignored. */
  readonly queryNames: readonly string[] | null;
  /** Media type of JSON responses by status, where it differs from the error format's. */
  readonly mediaTypes: ReadonlyMap<number, string>;
  /** Statuses whose responses contain secrets, which nobody may store. */
  readonly secretStatuses: ReadonlySet<number>;
  /** Headers of every response: alternating names and values. */
  readonly deprecation: ReadonlyArray<readonly [string, string]>;
  readonly idempotencyKey: 'accepted' | 'refused' | 'ignored';
  readonly checkReply: ReplyCheck | null;
  /** Present when clients may keep the response. */
  readonly responseCache: ResponseCache | null;
}

/** Options shared by all routes of a router. */
export interface RouteOptions {
  readonly errorFormat: ErrorFormat;
  readonly hasIdempotency: boolean;
  readonly checkReplies: boolean;
}

/**
 * Computes the route of an endpoint.
 * @throws Error when the declaration contradicts itself
 */
export function toRoute(declaration: Endpoint, options: RouteOptions): Route {
  const { errorFormat, hasIdempotency, checkReplies } = options;
  const { query, unknownQuery, headers, deprecation } = declaration;
  checkScopedAccess(declaration);
  return {
    declaration,
    body: takesBody(declaration) ? toBodyPlan(declaration, errorFormat) : null,
    headerNames: headers ? headerNamesOf(declaration, headers) : null,
    queryNames: unknownQuery === 'ignore' ? membersOf(query) : null,
    mediaTypes: mediaTypesOf(declaration),
    secretStatuses: secretStatusesOf(declaration),
    deprecation: deprecation ? toHeaders(deprecation) : [],
    idempotencyKey: hasIdempotency ? keyUseOf(declaration) : 'ignored',
    checkReply: checkReplies ? createReplyCheck(declaration, errorFormat) : null,
    responseCache: toResponseCache(declaration),
  };
}

function toResponseCache({ caching, method, operationId }: Endpoint): ResponseCache | null {
  if (!caching) return null;
  if (method === 'GET') return createResponseCache();
  throw new Error(`${operationId} declares caching, which only GET can have.`);
}

function toBodyPlan(
  declaration: Endpoint,
  { accepts, isTypeOptional = false }: ErrorFormat,
): BodyPlan {
  const { body } = declaration;
  if (isStreamedBody(body)) {
    const { types, limit, read, isKept = true } = body;
    const rules = { types, isTypeOptional: false, limit };
    return { schema: undefined, isStreamed: true, isKept, read, isRequired: true, ...rules };
  }
  return {
    schema: body as z.ZodType | undefined,
    isStreamed: false,
    isKept: true,
    read: undefined,
    isRequired: isBodyRequired(declaration),
    types: declaration.accepts ?? accepts,
    isTypeOptional: isTypeOptional && declaration.accepts === undefined,
    limit: bodyLimitOf(declaration),
    faultsOfBody: declaration.faultsOfBody,
    noteBody: declaration.noteBody,
  };
}

function headerNamesOf({ operationId }: Endpoint, schema: z.ZodType): string[] {
  const names = membersOf(schema);
  const odd = names.find((name) => name !== name.toLowerCase());
  if (odd === undefined) return names;
  throw new Error(
    `${operationId} declares the header ${odd}; declare header names in lower case, as Node reports them.`,
  );
}

/** The members of an object schema; none when it is not an object. */
function membersOf(schema: z.ZodType | undefined): string[] {
  return schema && 'shape' in schema ? Object.keys(schema.shape as object) : [];
}

function mediaTypesOf({ responses }: Endpoint): Map<number, string> {
  const types = new Map<number, string>();
  for (const [status, { schema, mediaType }] of Object.entries(responses)) {
    if (schema && typeof mediaType === 'string') types.set(Number(status), mediaType);
  }
  return types;
}

function secretStatusesOf({ responses, caching, operationId }: Endpoint): Set<number> {
  const statuses = Object.entries(responses)
    .filter(([, { schema }]) => schema && containsSecret(schema))
    .map(([status]) => Number(status));
  if (caching && statuses.length > 0) {
    throw new Error(`${operationId} declares caching, and secrets in its response.`);
  }
  return new Set(statuses);
}

/** RFC 9745, section 2, and RFC 8594, section 3. */
function toHeaders({ since, sunset, link }: Deprecation): Array<readonly [string, string]> {
  return [
    ['Deprecation', `@${Math.floor(new Date(since).getTime() / 1_000)}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ...(link ? [['Link', `<${link}>; rel="deprecation"; type="text/html"`] as const] : []),
  ];
}

function keyUseOf(declaration: Endpoint): Route['idempotencyKey'] {
  if (acceptsIdempotencyKey(declaration)) return 'accepted';
  return refusesIdempotencyKey(declaration) ? 'refused' : 'ignored';
}
