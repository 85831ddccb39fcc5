import type { ServiceError } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import type { ErrorKind, RateLimitDecision } from '@probity/core';
import { toProbityError } from '@probity/core';
import { ScanCanceledError } from '@probity/pipeline';

const CODES: Readonly<Record<ErrorKind, status>> = {
  invalid_request: status.INVALID_ARGUMENT,
  validation_failed: status.INVALID_ARGUMENT,
  unauthorized: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  method_not_allowed: status.UNIMPLEMENTED,
  already_exists: status.ALREADY_EXISTS,
  conflict: status.ABORTED,
  precondition_failed: status.FAILED_PRECONDITION,
  payload_too_large: status.RESOURCE_EXHAUSTED,
  unsupported_media_type: status.INVALID_ARGUMENT,
  rate_limited: status.RESOURCE_EXHAUSTED,
  internal: status.INTERNAL,
  not_implemented: status.UNIMPLEMENTED,
  unavailable: status.UNAVAILABLE,
};

const GATEWAY_TIMEOUT = 504;

/** Status and message of a failure, as gRPC has them. */
export interface GrpcFault {
  readonly code: status;
  readonly details: string;
}

/** What went wrong, in the codes of gRPC; of an internal error nothing is said. */
export function toFault(thrown: unknown): GrpcFault {
  if (thrown instanceof ScanCanceledError) {
    return { code: status.CANCELLED, details: 'The scan was canceled.' };
  }
  const error = toProbityError(thrown);
  const isLate = error.kind === 'unavailable' && error.status === GATEWAY_TIMEOUT;
  return { code: isLate ? status.DEADLINE_EXCEEDED : CODES[error.kind], details: error.message };
}

/** The error with which a call ends; a refusal by a limit says in trailers when to come back. */
export function toServiceError(
  thrown: unknown,
): Pick<ServiceError, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailersOf(thrown))) metadata.set(name, value);
  return { ...toFault(thrown), metadata };
}

const TRAILERS = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

function trailersOf(thrown: unknown): Record<string, string> {
  const { headers } = toProbityError(thrown);
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => TRAILERS.includes(name)),
  );
}

/** The trailers of a refused request. */
export function limitHeaders(
  { limit, remaining, resetAfterMs, retryAfterMs }: RateLimitDecision,
  now: Date,
): Record<string, string> {
  return {
    'Retry-After': String(Math.ceil(retryAfterMs / 1_000)),
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil((now.getTime() + resetAfterMs) / 1_000)),
  };
}

/** The name of a status: `INVALID_ARGUMENT`. */
export function statusName(code: status): string {
  return status[code];
}
