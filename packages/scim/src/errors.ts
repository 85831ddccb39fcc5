import type { ErrorKind } from '@probity/core';
import { ProbityError } from '@probity/core';

/** Detail error keywords of RFC 7644, table 9, and RFC 9865, section 2. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

const KINDS: Partial<Record<ScimType, ErrorKind>> = {
  uniqueness: 'already_exists',
  sensitive: 'forbidden',
};

/**
 * Creates an error with a `scimType`: status 409 for `uniqueness`, 403 for `sensitive`, else 400.
 * @param detail what is wrong, naming the attribute, operator or parameter
 */
export function scimError(scimType: ScimType, detail: string): ProbityError {
  return new ProbityError(KINDS[scimType] ?? 'invalid_request', detail, { reason: scimType });
}

const MAX_EXCERPT = 60;

/** A part of a request for an error's detail: quoted, control characters escaped, at most 60 characters. */
export function excerpt(text: string): string {
  const cut = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT).toWellFormed()}…` : text;
  return JSON.stringify(cut.toWellFormed());
}
