import type { ErrorKind, FieldError, ProbityError } from '../errors.ts';
import { ERROR_CATALOGUE } from '../errors.ts';

/** How one interface serializes errors. */
export interface ErrorDialect {
  readonly name: 'platform' | 'general' | 'scim';
  readonly contentType: string;
  status(error: ProbityError): number;
  body(error: ProbityError, requestId: string): object;
  /** JSON Schema of an error's body, for documents. */
  schema(kind: ErrorKind): object;
}

const detailsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['field', 'message'],
    properties: { field: { type: 'string' }, message: { type: 'string' } },
  },
};

/**
 * `{error, message, code, request_id}` (specification, "Platform interface format", and contract,
 * section 9, for the identifier); bad fields are 400.
 */
export const platformDialect: ErrorDialect = Object.freeze({
  name: 'platform',
  contentType: 'application/json; charset=utf-8',
  status: (error: ProbityError) => platformStatus(error.kind, error.status),
  body: (error: ProbityError, requestId: string) => ({
    error: ERROR_CATALOGUE[error.kind].platform,
    message: error.message,
    code: platformStatus(error.kind, error.status),
    ...detailsOf(error),
    request_id: requestId,
  }),
  schema: (kind: ErrorKind) => ({
    type: 'object',
    required: ['error', 'message', 'code', 'request_id'],
    properties: {
      error: { const: ERROR_CATALOGUE[kind].platform },
      message: { type: 'string' },
      code: { type: 'integer' },
      details: detailsSchema,
      request_id: { type: 'string' },
    },
  }),
});

/** `{error: {code, message, statusCode, details, requestId}}` (specification, "General API format"). */
export const generalDialect: ErrorDialect = Object.freeze({
  name: 'general',
  contentType: 'application/json; charset=utf-8',
  status: (error: ProbityError) => error.status,
  body: (error: ProbityError, requestId: string) => ({
    error: {
      code: ERROR_CATALOGUE[error.kind].general,
      message: error.message,
      statusCode: error.status,
      ...detailsOf(error),
      requestId,
    },
  }),
  schema: (kind: ErrorKind) => ({
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'statusCode', 'requestId'],
        properties: {
          code: { const: ERROR_CATALOGUE[kind].general },
          message: { type: 'string' },
          statusCode: { type: 'integer' },
          details: detailsSchema,
          requestId: { type: 'string' },
        },
      },
    },
  }),
});

/**
 * RFC 7644, section 3.12, with the specification's wording (contract, section 4). The form has no
 * place for the request's identifier, which stands in the header alone.
 */
export const scimDialect: ErrorDialect = Object.freeze({
  name: 'scim',
  contentType: 'application/scim+json; charset=utf-8',
  status: (error: ProbityError) => platformStatus(error.kind, error.status),
  body: (error: ProbityError) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(platformStatus(error.kind, error.status)),
    ...scimTypeOf(error.kind),
    detail: error.kind === 'unauthorized' ? 'invalid bearer token' : error.message,
  }),
  schema: (kind: ErrorKind) => ({
    type: 'object',
    required: ['schemas', 'status', 'detail'],
    properties: {
      schemas: { type: 'array', items: { type: 'string' } },
      status: { type: 'string' },
      scimType: { type: 'string', ...scimTypeSchema(kind) },
      detail: { type: 'string' },
    },
  }),
});

/** SCIM's names for kinds of errors (RFC 7644, table 9). */
const SCIM_TYPES: Partial<Record<ErrorKind, string>> = {
  invalid_request: 'invalidSyntax',
  validation_failed: 'invalidValue',
  already_exists: 'uniqueness',
};

function scimTypeOf(kind: ErrorKind): object {
  return kind in SCIM_TYPES ? { scimType: SCIM_TYPES[kind] } : {};
}

function scimTypeSchema(kind: ErrorKind): object {
  return kind in SCIM_TYPES ? { const: SCIM_TYPES[kind] } : {};
}

function platformStatus(kind: ErrorKind, status: number): number {
  return kind === 'validation_failed' ? 400 : status;
}

function detailsOf({ details }: ProbityError): { details?: readonly FieldError[] } {
  return details ? { details } : {};
}
