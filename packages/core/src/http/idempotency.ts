import type { Context } from 'koa';
import { validationError } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Authorization } from './authorize.ts';
import type { ErrorFormat } from './error-format.ts';
import type { ReplyParts } from './reply.ts';

/** 1 to 255 visible ASCII characters (contract, section 9). */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Scheme and authority of a request target in absolute form. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

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
  const message =
    'is not supported by this endpoint, because its body or response is a stream; omit it';
  throw validationError({ field: HEADER, message });
}

/** A call with an Idempotency-Key. */
export interface KeyedCall {
  readonly key: string;
  /** Scope of the key, by {@link keyScopeOf}. */
  readonly route: string;
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
  { key, route, authorization, input, errorFormat, requestId, work }: KeyedCall,
): Promise<ReplyParts> {
  const { principal, callerSecret } = authorization;
  const { reply, isReplay } = await idempotency.run({
    request: {
      key,
      organizationId: principal.organizationId,
      keyId: principal.keyId,
      callerSecret,
      route,
      input,
    },
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

/** An endpoint as a request names it. */
export interface NamedEndpoint {
  readonly operationId: string;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The undecoded path below the mount. */
  readonly rest: string;
}

/**
 * The endpoint of a request and where it is mounted: the same for every alias and every
 * percent-encoding of a path, different for every mount.
 */
export function keyScopeOf(
  { method, originalUrl }: Context,
  { operationId, params, rest }: NamedEndpoint,
): string {
  const path = originalUrl.replace(ORIGIN, '').replace(/[?#].*$/s, '');
  const mount = path.endsWith(rest) ? path.slice(0, path.length - rest.length) : path;
  const values = Object.keys(params)
    .sort()
    .map((name) => [name, params[name]]);
  return JSON.stringify([method, mount.split('/').map(decode), operationId, values]);
}

/** Malformed percent-encoding is kept. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
