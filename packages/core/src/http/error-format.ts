import { z } from 'zod';
import type { ErrorKind, FieldError, ProbityError } from '../errors.ts';
import { ERROR_CATALOG } from '../errors.ts';

/** Error serialization of one interface, and the media types that it uses. */
export interface ErrorFormat {
  readonly name: 'platform' | 'general' | 'beta' | 'scim';
  /** Content-Type of errors, and of responses that declare none. */
  readonly contentType: string;
  /** Media types of request bodies, unless an endpoint declares others. */
  readonly accepts: readonly string[];
  /** Whether bodies of those types need no Content-Type; default false. */
  readonly isTypeOptional?: boolean;
  status(error: Pick<ProbityError, 'kind' | 'status'>): number;
  body(error: ProbityError, requestId: string): object;
  /** Schema of an error's body, for documents and for checks. */
  readonly schema: z.ZodType;
  /**
   * The schema for these kinds only, whose codes distinguish an error from a declared response of
   * the same status.
   */
  schemaOf(kinds: readonly ErrorKind[]): z.ZodType;
}

const JSON_TYPES = Object.freeze(['application/json']);

const fieldError = z.strictObject({ field: z.string(), message: z.string() }).meta({
  id: 'FieldError',
  description: 'One bad field of a request; `field` is a path such as `events.0`.',
});
const details = z.array(fieldError).optional();

const errorStatus = z.int().min(400).max(599);

const KINDS = Object.keys(ERROR_CATALOG) as ErrorKind[];

/** Kinds in names of schemas and responses: `ConflictOrNotFound`. */
export function namesOf(kinds: readonly string[]): string {
  return [...kinds].sort().map(toPascalCase).join('Or');
}

/** Converts `not_found` to `NotFound`. */
export function toPascalCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * `{error, message, code, request_id}` (specification, "Platform interface format", and contract,
 * section 9, for the identifier); bad fields are 400.
 */
export const platformErrors: ErrorFormat = Object.freeze({
  name: 'platform',
  contentType: 'application/json; charset=utf-8',
  accepts: JSON_TYPES,
  status: badFieldsAs400,
  body: (error: ProbityError, requestId: string) => ({
    error: ERROR_CATALOG[error.kind].platform,
    message: error.message,
    code: badFieldsAs400(error),
    ...detailsOf(error),
    request_id: requestId,
  }),
  schema: platformSchema(KINDS).meta({ id: 'PlatformError' }),
  schemaOf: (kinds: readonly ErrorKind[]) =>
    platformSchema(kinds).meta({ id: `Platform${namesOf(kinds)}` }),
});

function platformSchema(kinds: readonly ErrorKind[]) {
  return z.strictObject({
    error: z.enum([...new Set(kinds.map((kind) => ERROR_CATALOG[kind].platform))]),
    message: z.string(),
    code: errorStatus.describe('The HTTP status of the response.'),
    details,
    request_id: z.string(),
  });
}

/** `{error: {code, message, statusCode, details, requestId}}` (specification, "General API format"). */
export const generalErrors: ErrorFormat = nestedErrors(
  'general',
  (kind) => ERROR_CATALOG[kind].general,
);

/** The same with the codes of version 2, one for each way in which callers react (docs/versioning.md). */
export const betaErrors: ErrorFormat = nestedErrors('beta', (kind) => ERROR_CATALOG[kind].beta);

function nestedErrors(name: 'general' | 'beta', codeOf: (kind: ErrorKind) => string): ErrorFormat {
  const title = toPascalCase(name);
  const schemaOf = (kinds: readonly ErrorKind[]) =>
    z.strictObject({
      error: z.strictObject({
        code: z.enum([...new Set(kinds.map(codeOf))]),
        message: z.string(),
        statusCode: errorStatus,
        details,
        requestId: z.string(),
      }),
    });
  return Object.freeze({
    name,
    contentType: 'application/json; charset=utf-8',
    accepts: JSON_TYPES,
    status: ({ status }: Pick<ProbityError, 'status'>) => status,
    body: (error: ProbityError, requestId: string) => ({
      error: {
        code: codeOf(error.kind),
        message: error.message,
        statusCode: error.status,
        ...detailsOf(error),
        requestId,
      },
    }),
    schema: schemaOf(KINDS).meta({ id: `${title}Error` }),
    schemaOf: (kinds: readonly ErrorKind[]) =>
      schemaOf(kinds).meta({ id: `${title}${namesOf(kinds)}` }),
  });
}

const scimSchema = z
  .strictObject({
    schemas: z.array(z.string()),
    status: z.string(),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .meta({ id: 'ScimError' });

/**
 * RFC 7644, section 3.12, with the specification's wording (contract, section 4). `scimType` is the
 * error's `reason`. The format has no field for the request id, which is sent only in the header.
 */
export const scimErrors: ErrorFormat = Object.freeze({
  name: 'scim',
  // The media type has no parameters (RFC 7644, section 8.1).
  contentType: 'application/scim+json',
  accepts: Object.freeze(['application/scim+json', 'application/json']),
  // Okta's tests create users without one.
  isTypeOptional: true,
  status: badFieldsAs400,
  body: (error: ProbityError) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(badFieldsAs400(error)),
    ...scimTypeOf(error),
    detail: error.kind === 'unauthorized' ? 'invalid bearer token' : error.message,
  }),
  schema: scimSchema,
  schemaOf: () => scimSchema,
});

/** The scimType of errors without a reason, for statuses with exactly one in RFC 7644, table 9. */
const SCIM_TYPES: Partial<Record<ErrorKind, string>> = {
  invalid_request: 'invalidSyntax',
  validation_failed: 'invalidValue',
  already_exists: 'uniqueness',
};

function scimTypeOf({ kind, reason, details }: ProbityError): { scimType?: string } {
  // A body that is no object has another structure than a resource; its attributes have values.
  const isBody = kind === 'validation_failed' && details?.some(({ field }) => field === 'body');
  const scimType = reason ?? (isBody ? 'invalidSyntax' : SCIM_TYPES[kind]);
  return scimType === undefined ? {} : { scimType };
}

function badFieldsAs400({ kind, status }: Pick<ProbityError, 'kind' | 'status'>): number {
  return kind === 'validation_failed' ? 400 : status;
}

function detailsOf({ details }: ProbityError): { details?: readonly FieldError[] } {
  return details ? { details } : {};
}
