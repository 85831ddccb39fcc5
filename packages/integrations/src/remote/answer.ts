import type { DialResult, OutboundErrorCode } from '@probity/core';
import { retryAfterOf } from '@probity/core/internal';
import type { RemoteFailureKind } from './failure.ts';
import { RemoteFailure, toSafeText } from './failure.ts';

/** Failures of the dialer after which nothing was sent. */
const UNSENT: ReadonlySet<OutboundErrorCode> = new Set([
  'invalid_url',
  'invalid_request',
  'refused_address',
  'dns',
  'dns_unavailable',
  'connect',
  'tls',
]);
const INTERRUPTED: ReadonlySet<OutboundErrorCode> = new Set(['aborted', 'closed']);

/** How the result of a request is read. */
export interface ReadOptions {
  /** Whether sending the request twice does no harm. */
  readonly isRepeatable: boolean;
  readonly now: Date;
  /** Is removed from messages. */
  readonly secret: string;
}

/**
 * The JSON object of a successful response.
 * @throws RemoteFailure for every other result
 */
export function readAnswer(result: DialResult, options: ReadOptions): Record<string, unknown> {
  requireAnswer(result, options);
  const { isRepeatable } = options;
  const { status, body, truncated } = result;
  const value = truncated ? undefined : parseObject(body);
  if (status >= 200 && status < 300) {
    if (value) return value;
    const message = `The system answered ${status} without a JSON object.`;
    throw new RemoteFailure('unanswered', message, { status, mayHaveTakenEffect: !isRepeatable });
  }
  const kind = kindOf(status, result.headers['retry-after'] !== undefined);
  throw new RemoteFailure(kind, describe(status, value, options.secret), {
    status,
    retryAfterMs: retryAfterOf(result, options.now),
    mayHaveTakenEffect: kind === 'unanswered' && !isRepeatable,
  });
}

/**
 * Whether there is a response at all.
 * @throws RemoteFailure when there is none
 */
export function requireAnswer(
  result: DialResult,
  { isRepeatable, secret }: Pick<ReadOptions, 'isRepeatable' | 'secret'>,
): asserts result is DialResult & { kind: 'response' } {
  if (result.kind === 'response') return;
  const { code } = result;
  const message = toSafeText(result.message, secret);
  if (INTERRUPTED.has(code)) throw new RemoteFailure('interrupted', message);
  if (UNSENT.has(code)) throw new RemoteFailure('unreachable', message);
  throw new RemoteFailure('unanswered', message, { mayHaveTakenEffect: !isRepeatable });
}

/** The kind of an unsuccessful status; a redirect is a rejection, as none is followed. */
export function kindOf(status: number, hasRetryAfter: boolean): RemoteFailureKind {
  if (status === 429 || (status === 503 && hasRetryAfter)) return 'limited';
  if (status === 401 || status === 403) return 'refused';
  return status >= 500 || status === 408 ? 'unanswered' : 'rejected';
}

/** ServiceNow and Graph both put the message of an error at `error.message`. */
function describe(
  status: number,
  value: Record<string, unknown> | undefined,
  secret: string,
): string {
  const error = value?.error;
  const { message } = (typeof error === 'object' && error !== null ? error : {}) as {
    message?: unknown;
  };
  const text = typeof message === 'string' ? `: ${toSafeText(message, secret)}` : '';
  return `The system answered ${status}${text}`;
}

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
