/**
 * One invalid field of a request; `field` is a path such as `events.0` or `settings.ip_allowlist`.
 */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ErrorDefinition {
  /** HTTP status on every interface, unless the interface's serializer overrides it. */
  readonly status: number;
  /** Error string of the platform interface (contract, section 3). */
  readonly platform: string;
  /** Code of the general API (specification, "General API format"; contract, section 9). */
  readonly general: string;
  /** Code that version 2 of the general API will have; several kinds share one. */
  readonly beta: string;
  readonly message: string;
}

/** Every kind of error that a service may throw, with its name on each interface. */
export const ERROR_CATALOG = {
  invalid_request: {
    status: 400,
    platform: 'invalid_request',
    general: 'INVALID_REQUEST',
    beta: 'INVALID_REQUEST',
    message: 'The request is malformed.',
  },
  validation_failed: {
    status: 422,
    platform: 'invalid_request',
    general: 'VALIDATION_ERROR',
    beta: 'INVALID_REQUEST',
    message: 'Some fields have invalid values.',
  },
  unauthorized: {
    status: 401,
    platform: 'unauthorized',
    general: 'INVALID_API_KEY',
    beta: 'UNAUTHORIZED',
    message: 'The credential is missing, invalid, expired or revoked.',
  },
  forbidden: {
    status: 403,
    platform: 'forbidden',
    general: 'INSUFFICIENT_PERMISSIONS',
    beta: 'FORBIDDEN',
    message: 'The caller does not have permission for this operation.',
  },
  not_found: {
    status: 404,
    platform: 'not_found',
    general: 'RESOURCE_NOT_FOUND',
    beta: 'NOT_FOUND',
    message: 'There is no such resource.',
  },
  method_not_allowed: {
    status: 405,
    platform: 'method_not_allowed',
    general: 'METHOD_NOT_ALLOWED',
    beta: 'INVALID_REQUEST',
    message: 'The resource does not support this method.',
  },
  already_exists: {
    status: 409,
    platform: 'conflict',
    general: 'RESOURCE_ALREADY_EXISTS',
    beta: 'CONFLICT',
    message: 'The resource already exists.',
  },
  conflict: {
    status: 409,
    platform: 'conflict',
    general: 'CONFLICT',
    beta: 'CONFLICT',
    message: 'The request conflicts with the current state of the resource.',
  },
  precondition_failed: {
    status: 412,
    platform: 'precondition_failed',
    general: 'PRECONDITION_FAILED',
    beta: 'CONFLICT',
    message: 'The resource is not in the state that the request expects.',
  },
  payload_too_large: {
    status: 413,
    platform: 'payload_too_large',
    general: 'PAYLOAD_TOO_LARGE',
    beta: 'INVALID_REQUEST',
    message: 'The request body is too large.',
  },
  unsupported_media_type: {
    status: 415,
    platform: 'unsupported_media_type',
    general: 'UNSUPPORTED_MEDIA_TYPE',
    beta: 'INVALID_REQUEST',
    message: 'The request body must be application/json.',
  },
  rate_limited: {
    status: 429,
    platform: 'rate_limited',
    general: 'RATE_LIMIT_EXCEEDED',
    beta: 'RATE_LIMITED',
    message: 'Too many requests.',
  },
  internal: {
    status: 500,
    platform: 'server_error',
    general: 'INTERNAL_ERROR',
    beta: 'INTERNAL_ERROR',
    message: 'An unexpected error occurred.',
  },
  not_implemented: {
    status: 501,
    platform: 'not_implemented',
    general: 'NOT_IMPLEMENTED',
    beta: 'INTERNAL_ERROR',
    message: 'The service does not support this operation.',
  },
  unavailable: {
    status: 503,
    platform: 'service_unavailable',
    general: 'SERVICE_UNAVAILABLE',
    beta: 'SERVICE_UNAVAILABLE',
    message: 'The service is not available at the moment.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The closed set of error kinds. */
export type ErrorKind = keyof typeof ERROR_CATALOG;

/** Optional members of an error besides its kind and message. */
export interface ErrorOptions {
  /** Every invalid field, when the request's fields are at fault. */
  readonly details?: readonly FieldError[] | undefined;
  /**
   * A more specific cause, such as SCIM's `scimType`; included where the error format has a field
   * for it.
   */
  readonly reason?: string | undefined;
  /** Response headers of the error, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Overrides the catalog's status, for errors raised by Node or Koa (408, 431). */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** The only error class of Probity's services; each interface serializes it in its own format. */
export class ProbityError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly details: readonly FieldError[] | undefined;
  readonly reason: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, message?: string, options: ErrorOptions = {}) {
    super(message ?? ERROR_CATALOG[kind].message, { cause: options.cause });
    this.name = 'ProbityError';
    this.kind = kind;
    this.status = options.status ?? ERROR_CATALOG[kind].status;
    this.details = options.details;
    this.reason = options.reason;
    this.headers = options.headers ?? {};
  }
}

/**
 * Creates an error whose `details` list the invalid fields; field names may come from the client.
 */
export function validationError(...errors: FieldError[]): ProbityError {
  const details = errors.map(({ field, message }) => ({ field: shorten(field), message }));
  const named = details.slice(0, NAMED_FIELDS);
  const message = named.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const rest = details.length - named.length;
  const text = rest > 0 ? `${message}; and ${rest} more` : message;
  return new ProbityError('validation_failed', text, { details });
}

/** Maximum number of fields named in an error's message; its details list all of them. */
const NAMED_FIELDS = 5;
const MAX_NAME_LENGTH = 200;

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** Creates the error for a resource that does not exist or must not be visible to the caller. */
export function notFound(what: string): ProbityError {
  return new ProbityError('not_found', `There is no such ${what}.`);
}

/**
 * Converts any thrown value to a ProbityError. Errors are recognized by shape, since two copies of
 * this package can be loaded in one process; foreign errors of status 4xx that are meant for the
 * client (http-errors' `expose`) keep their status, everything else becomes `internal`.
 */
export function toProbityError(thrown: unknown): ProbityError {
  if (thrown instanceof ProbityError) return thrown;
  if (typeof thrown !== 'object' || thrown === null) return internalError(thrown);
  const { kind, status, expose, message } = thrown as Record<string, unknown>;
  if (typeof kind === 'string' && Object.hasOwn(ERROR_CATALOG, kind)) {
    return new ProbityError(kind as ErrorKind, String(message), thrown as ErrorOptions);
  }
  if (expose === true && typeof status === 'number' && status >= 400 && status < 500) {
    return new ProbityError(kindOfStatus(status), String(message), { status, cause: thrown });
  }
  return internalError(thrown);
}

/** The kind that best matches an HTTP status; `invalid_request` for a 4xx without a kind. */
export function kindOfStatus(status: number): ErrorKind {
  const kinds = Object.keys(ERROR_CATALOG) as ErrorKind[];
  const match = kinds.find((kind) => ERROR_CATALOG[kind].status === status);
  return match ?? (status >= 500 ? 'internal' : 'invalid_request');
}

/**
 * Error codes of a database that rejects writes: a disk that is full, read-only or broken, and a corrupt file; on
 * PostgreSQL insufficient resources (class 53), I/O errors (class 58) and a read-only transaction, as on a standby
 * (25006).
 */
const WRITE_FAILURE =
  /^(?:SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|CORRUPT)\w*|53\w{3}|58\w{3}|25006)$/;

/**
 * Error codes of a database that is unreachable, shutting down or too slow: 57014 is its statement timeout, 55P03 its
 * lock timeout, 40001 and 40P01 are conflicts and deadlocks that repetitions did not end (PostgreSQL, SQLite, Node).
 */
const UNAVAILABLE =
  /^(?:08\w{3}|57P0[1-3]|57014|55P03|40001|40P01|SQLITE_BUSY\w*|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const UNAVAILABLE_MESSAGE = /^(?:Connection terminated|Query read timeout|timeout exceeded when)/;
const RETRY_AFTER_SECONDS = '5';

function internalError(cause: unknown): ProbityError {
  if (!isUnavailable(cause)) return new ProbityError('internal', undefined, { cause });
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return new ProbityError('unavailable', undefined, { cause, headers });
}

const UNREACHABLE =
  /^(?:08\w{3}|57P0[1-3]|SQLITE_BUSY\w*|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const NO_ANSWER = /^(?:ETIMEDOUT$|Query read timeout|timeout exceeded when)/;

/**
 * Whether an error says that there is no connection to the database, or that all writes wait for another
 * process (SQLite); with `timeout`, only that the database does not answer.
 */
export function isUnreachable(thrown: unknown, cause?: 'timeout'): boolean {
  return hasTrait(thrown, ({ code = '', message = '' }) => {
    if (cause === 'timeout') return NO_ANSWER.test(code) || NO_ANSWER.test(message);
    return UNREACHABLE.test(code) || UNAVAILABLE_MESSAGE.test(message);
  });
}

/**
 * Whether an error says that PostgreSQL ended a statement at its time limit, mostly as rows stayed locked:
 * other transactions are not affected.
 */
export function isStatementTimeout(thrown: unknown): boolean {
  return hasTrait(thrown, ({ code }) => code === '57014' || code === '55P03');
}

/** Whether an error says that the database is unreachable, full, read-only or too slow. */
export function isUnavailable(thrown: unknown): boolean {
  return hasTrait(
    thrown,
    ({ code = '', message = '' }) =>
      UNAVAILABLE.test(code) || WRITE_FAILURE.test(code) || UNAVAILABLE_MESSAGE.test(message),
  );
}

/** Whether an error says that the database rejects writes, all of which fail until someone repairs it. */
export function isWriteFailure(thrown: unknown): boolean {
  return hasTrait(thrown, ({ code = '' }) => WRITE_FAILURE.test(code));
}

/** Whether an error or one of its causes has a code and a message that `matches` accepts. */
function hasTrait(
  thrown: unknown,
  matches: (error: { code?: string; message?: string }) => boolean,
): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { code, message, cause } = thrown as Record<string, unknown>;
  const texts = {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
  return matches(texts) || (cause !== undefined && hasTrait(cause, matches));
}
