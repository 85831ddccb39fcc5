import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { z } from 'zod';
import { notFound, ProbityError, validationError } from '../errors.ts';
import { discardRest, hasBody, openBody, readJson } from './body.ts';
import type { BodyShare } from './body-budget.ts';
import { bodyEncodingOf } from './body-encoding.ts';
import { endableChunks } from './endable-chunks.ts';
import type { Endpoint, StreamedBody } from './endpoint.ts';
import type { Route } from './route.ts';
import { validate } from './validation.ts';

/** No identifier contains U+0000, which PostgreSQL cannot even compare with. */
export function readParams(
  { params: schema }: Endpoint,
  params: Readonly<Record<string, string>>,
): unknown {
  if (!schema) return undefined;
  for (const name in params) if (params[name]?.includes('\0')) throw notFound('resource');
  return validate(schema, params);
}

/** Parses the declared headers by their schema; returns all headers when none are declared. */
export function readHeaders({ headers }: Context, { declaration, headerNames }: Route): unknown {
  const { headers: schema } = declaration;
  if (!schema || !headerNames) return headers satisfies IncomingHttpHeaders;
  const present = headerNames.filter((name) => headers[name] !== undefined);
  return validate(schema, Object.fromEntries(present.map((name) => [name, headers[name]])));
}

/** Accepts no input; undeclared parameters are rejected by name instead of being ignored. */
const NOTHING = z.strictObject({});

/**
 * Parses the query by its schema. Rejects repeated parameters, and unknown ones unless the endpoint
 * ignores them or is public and declares none: probes and links may carry foreign parameters.
 * @throws ProbityError `invalid_request`, `validation_failed`
 */
export function readQuery(
  { querystring }: Pick<Context, 'querystring'>,
  { declaration, queryNames }: Pick<Route, 'declaration' | 'queryNames'>,
): unknown {
  const { query: schema, permission } = declaration;
  if (querystring === '') return schema && withoutParameters(schema);
  const query = parseQuery(querystring, queryNames);
  if (schema) return validate(schema, query);
  if (permission !== 'public') validate(NOTHING, query);
  return undefined;
}

/** What schemas make of a query without parameters, which most requests have. */
const withoutQuery = new WeakMap<z.ZodType, { readonly value: unknown }>();

function withoutParameters(schema: z.ZodType): unknown {
  let known = withoutQuery.get(schema);
  if (!known) {
    known = { value: Object.freeze(validate(schema, {})) };
    withoutQuery.set(schema, known);
  }
  return known.value;
}

/**
 * Reads the parameters, or those with the given names, in one pass: `ctx.query` of Koa walks all of
 * them once for each.
 */
function parseQuery(
  querystring: string,
  names: readonly string[] | null,
): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (names && !names.includes(name)) continue;
    if (values.has(name)) {
      throw new ProbityError('invalid_request', `The parameter ${name} is given twice.`, {
        details: [{ field: name, message: 'must be given once' }],
      });
    }
    if ((name + value).includes('\0')) {
      const field = name.replaceAll('\0', '\uFFFD');
      throw validationError({ field, message: 'must not contain U+0000' });
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/**
 * Parses the body by its schema, or returns it as a stream; see {@link readJson}. Undefined when no
 * body is sent and none is required. When the endpoint declares none, an empty object is accepted.
 * @throws ProbityError as `readJson` and `validate`
 */
export async function readBody(ctx: Context, { body }: Route, share: BodyShare): Promise<unknown> {
  if (!body || (!body.isRequired && !hasBody(ctx.req))) return undefined;
  if (body.isStreamed) return openBody(ctx, body);
  const { schema } = body;
  const check = (value: unknown) => {
    if (schema) return validate(schema, value);
    validate(NOTHING, value);
    return undefined;
  };
  return readJson(ctx, { ...body, validate: check }, share);
}

/** A body that is read before the handler is called. */
interface StreamedInput {
  /** Largest body in bytes. */
  readonly limit: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly share: BodyShare;
  read: NonNullable<StreamedBody<unknown>['read']>;
}

/**
 * Reads a body by the function that its endpoint declares. When that fails, the rest is discarded, so
 * that a client that is still sending reads the answer.
 */
export async function readStreamed(
  { req: request }: Context,
  { limit, chunks, share, read }: StreamedInput,
): Promise<unknown> {
  const body = endableChunks(chunks, share);
  try {
    return await read(counted(request, body, share), share);
  } catch (error) {
    if (!body.isEnded()) await discardRest(request, limit);
    throw error;
  }
}

/**
 * Counts the chunks as memory, since what is kept of them may be as large; not those of a body that has arrived whole,
 * as most have, unless it was compressed.
 */
export async function* counted(
  request: IncomingMessage,
  chunks: AsyncIterable<Uint8Array>,
  share: BodyShare,
): AsyncGenerator<Uint8Array> {
  const isCompressed = bodyEncodingOf(request) !== null;
  for await (const chunk of chunks) {
    if (isCompressed || !request.complete) share.take(chunk.length);
    yield chunk;
  }
}
