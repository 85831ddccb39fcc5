import type { Context } from 'koa';
import type { Principal } from '../context.ts';
import type { ProbityError } from '../errors.ts';
import { validationError } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Reply } from './endpoint.ts';

/** 1 to 255 visible ASCII characters (contract, section 9). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The request's Idempotency-Key, or undefined. */
export function idempotencyKeyOf(ctx: Context): string | undefined {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw validationError({
    field: 'Idempotency-Key',
    message: 'must be 1 to 255 visible ASCII characters',
  });
}

/** Who repeats what. */
export interface RepeatableCall {
  readonly key: string;
  readonly principal: Principal;
  readonly token: string;
  /** Query and body, validated. */
  readonly input: unknown;
  readonly dialect: ErrorDialect;
  readonly requestId: string;
}

/**
 * Runs the handler once per key; the header Idempotent-Replayed marks an answer that was given
 * before. Its error bodies are those of the first request, with that request's identifier.
 */
export async function runRepeatable(
  ctx: Context,
  idempotency: Idempotency,
  { key, principal, token, input, dialect, requestId }: RepeatableCall,
  handle: (unit: UnitOfWork) => Promise<Reply>,
): Promise<Reply> {
  const { reply, isReplay } = await idempotency.run(
    { key, keyId: principal.keyId, token, route: routeOf(ctx), input },
    handle,
    (error: ProbityError) => ({
      status: dialect.status(error),
      body: dialect.body(error, requestId),
      headers: error.headers,
    }),
  );
  return isReplay
    ? { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } }
    : reply;
}

/** Method and path, with what a host has mounted the router under. */
function routeOf({ method, originalUrl }: Context): string {
  return `${method} ${originalUrl.split('?', 1)[0]}`;
}
