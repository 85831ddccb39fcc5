import type { Context } from 'koa';
import { validationError } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Authorization } from './authorize.ts';
import type { ErrorFormat } from './error-format.ts';
import type { ReplyParts } from './reply.ts';

/** 1 to 255 visible ASCII characters (contract, section 9). */
const KEY = /^[\x21-\x7e]{1,255}$/;

const HEADER = 'Idempotency-Key';

/** The request's Idempotency-Key, or undefined. */
export function idempotencyKeyOf({ headers }: Context): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw validationError({ field: HEADER, message: 'must be 1 to 255 visible ASCII characters' });
}

/** Rejects a key on calls that cannot be made safe to repeat. */
export function refuseIdempotencyKey({ headers }: Context): void {
  if (headers['idempotency-key'] === undefined) return;
  const message = 'is not supported here, where the body or the answer is a stream; leave it out';
  throw validationError({ field: HEADER, message });
}

/** A call with an Idempotency-Key. */
export interface KeyedCall {
  readonly ctx: Context;
  readonly key: string;
  readonly authorization: Authorization;
  /** Query and body, validated. */
  readonly input: unknown;
  readonly errorFormat: ErrorFormat;
  readonly requestId: string;
  readonly work: (unit: UnitOfWork) => Promise<ReplyParts>;
}

/**
 * Runs the work once per key; the Idempotent-Replayed header marks a stored response. Stored error
 * bodies contain the request id of the first request.
 */
export async function runOncePerKey(
  idempotency: Idempotency,
  { ctx, key, authorization, input, errorFormat, requestId, work }: KeyedCall,
): Promise<ReplyParts> {
  const { principal, callerSecret } = authorization;
  const { reply, isReplay } = await idempotency.run({
    request: { key, keyId: principal.keyId, callerSecret, route: routeOf(ctx), input },
    work,
    toReply: (error) => ({
      status: errorFormat.status(error),
      body: errorFormat.body(error, requestId),
      headers: error.headers,
    }),
  });
  return isReplay
    ? { ...reply, headers: { ...reply.headers, 'Idempotent-Replayed': 'true' } }
    : reply;
}

/** Method and path, including the prefix under which a host mounted the router. */
function routeOf({ method, originalUrl }: Context): string {
  return `${method} ${originalUrl.split('?', 1)[0]}`;
}
