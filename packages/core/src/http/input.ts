import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { z } from 'zod';
import { notFound, ProbityError, validationError } from '../errors.ts';
import { hasBody, openBody, readJson } from './body.ts';
import type { BodyShare } from './body-budget.ts';
import type { Endpoint } from './endpoint.ts';
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
export function readQuery(ctx: Context, { declaration, queryNames }: Route): unknown {
  const { query: schema, permission } = declaration;
  if (ctx.querystring === '') return schema && validate(schema, {});
  const query = queryNames ? pick(ctx.query, queryNames) : ctx.query;
  const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
  if (repeated !== undefined) {
    throw new ProbityError('invalid_request', `The parameter ${repeated} is given twice.`, {
      details: [{ field: repeated, message: 'must be given once' }],
    });
  }
  const refused = Object.keys(query).find((name) => (name + query[name]).includes('\0'));
  if (refused !== undefined) {
    throw validationError({
      field: refused.replaceAll('\0', '\uFFFD'),
      message: 'must not contain U+0000',
    });
  }
  if (schema) return validate(schema, { ...query });
  if (permission !== 'public') validate(NOTHING, { ...query });
  return undefined;
}

function pick(query: Context['query'], names: readonly string[]): Context['query'] {
  const known = names.filter((name) => query[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, query[name]]));
}

/**
 * Parses the body by its schema, or returns it as a stream; see {@link readJson}. Undefined when no
 * body is sent and none is required. When the endpoint declares none, an empty object is accepted.
 * @throws ProbityError as `readJson` and `validate`
 */
export async function readBody(ctx: Context, { body }: Route, share: BodyShare): Promise<unknown> {
  if (!body || (!body.isRequired && !hasBody(ctx.req))) return undefined;
  if (body.isStreamed) return openBody(ctx, body);
  const value = await readJson(ctx, body, share);
  if (body.schema) return validate(body.schema, value);
  validate(NOTHING, value);
  return undefined;
}
