import type { Context } from 'koa';
import { z } from 'zod';
import { notFound, ProbityError, validationError } from '../errors.ts';
import { hasBody, readJson } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { DEFAULT_BODY_LIMIT } from './endpoint.ts';
import { validate } from './validation.ts';

/** No identifier holds U+0000, which PostgreSQL cannot even compare with: nothing is there. */
export function readParams(ctx: Context): Record<string, string> {
  const params = ctx.params as Record<string, string>;
  for (const name in params) if (params[name]?.includes('\0')) throw notFound('resource');
  return params;
}

/** Nothing; what a client sends that nobody would look at is refused by name, not passed over. */
const NOTHING = z.strictObject({});

/**
 * The query in the schema's type; a parameter that is given twice is refused, and so is an unknown
 * one, except where the endpoint is public and has none: probes and links may carry some for others.
 * @throws ProbityError `invalid_request`, `validation_failed`
 */
export function readQuery(ctx: Context, { query: schema, permission }: Endpoint): unknown {
  if (ctx.querystring === '') return schema && validate(schema, {});
  const { query } = ctx;
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

/**
 * The body in the schema's type; see {@link readJson}. Undefined where there is none and none is
 * needed. Where the endpoint declares none, an empty object may be sent.
 * @throws ProbityError as `readJson` and `validate`
 */
export async function readBody(
  ctx: Context,
  { body: schema, bodyLimit = DEFAULT_BODY_LIMIT }: Endpoint,
): Promise<unknown> {
  const isNeeded = schema !== undefined && !schema.safeParse(undefined).success;
  if (!isNeeded && !hasBody(ctx.req)) return undefined;
  const value = await readJson(ctx.req, ctx.res, bodyLimit);
  if (schema) return validate(schema, value);
  validate(NOTHING, value);
  return undefined;
}
