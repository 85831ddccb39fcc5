import type { BlockedScan, FieldError } from './generated/schemas.ts';

/** What every {@link ProbityError} knows besides its message. */
export interface ErrorFacts {
  readonly code: string;
  readonly status?: number | null;
  readonly details?: readonly FieldError[];
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/**
 * A call that failed. Errors never contain the API key, headers of the request, or its body.
 * A call that is ended by its `signal` rejects with the signal's reason instead.
 */
export class ProbityError extends Error {
  override name = 'ProbityError';
  /**
   * The code of the server, such as `RATE_LIMIT_EXCEEDED` (general API) or `rate_limited` (platform
   * API), or one of the client: `connection_failed`, `timeout`, `redirect_refused`,
   * `response_too_large`, `invalid_response`.
   */
  readonly code: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** The invalid fields of the request; empty for other errors. */
  readonly details: readonly FieldError[];
  /** The id of the request in the logs of the server; null when there was no answer. */
  readonly requestId: string | null;
  /** Seconds until the server accepts the next attempt, from Retry-After; null without it. */
  readonly retryAfter: number | null;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status ?? null;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** The request is malformed or has invalid fields, which `details` names: 400, 413, 415 or 422. */
export class InvalidRequestError extends ProbityError {
  override name = 'InvalidRequestError';
}

/** The API key is missing, unknown, revoked or expired: 401. */
export class AuthenticationError extends ProbityError {
  override name = 'AuthenticationError';
}

/** The role, the scope or the plan of the caller does not permit the call: 403. */
export class PermissionError extends ProbityError {
  override name = 'PermissionError';
}

/** A policy blocks the content of a scan: 403. */
export class BlockedError extends ProbityError {
  override name = 'BlockedError';
  /** Which policy blocks, why, and what was found. */
  readonly governance: BlockedScan['governance'];

  constructor(message: string, facts: ErrorFacts, governance: BlockedScan['governance']) {
    super(message, facts);
    this.governance = governance;
  }
}

/** There is no such resource in the organization of the caller: 404. */
export class NotFoundError extends ProbityError {
  override name = 'NotFoundError';
}

/** The request conflicts with the state of the resource: 409 or 412. */
export class ConflictError extends ProbityError {
  override name = 'ConflictError';
}

/** A rate limit or a quota is exhausted: 429. `retryAfter` says for how long. */
export class RateLimitError extends ProbityError {
  override name = 'RateLimitError';
}

/** The server failed or is in maintenance: 500 and above. */
export class ServerError extends ProbityError {
  override name = 'ServerError';
}

/** No answer arrived. Whether the call had an effect is unknown unless it had an Idempotency-Key. */
export class ConnectionError extends ProbityError {
  override name = 'ConnectionError';
}

/** No answer arrived in time; as {@link ConnectionError}. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** An answer that the client does not accept: a redirect, too large, or not what the API sends. */
export class ResponseError extends ProbityError {
  override name = 'ResponseError';
}

/** The error that belongs to a status. */
export function errorOfStatus(
  message: string,
  facts: ErrorFacts & { readonly status: number },
): ProbityError {
  return new (classOf(facts.status))(message, facts);
}

function classOf(status: number): new (message: string, facts: ErrorFacts) => ProbityError {
  if (status >= 500) return ServerError;
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return InvalidRequestError;
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 409:
    case 412:
      return ConflictError;
    case 429:
      return RateLimitError;
    default:
      return ProbityError;
  }
}
