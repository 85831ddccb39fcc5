import { ProbityError } from '@probity/core';
import { entityTagOf } from './body.ts';

/** The version of a resource that a request names, by the headers of RFC 7644, section 3.14. */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** @throws ProbityError `precondition_failed` unless If-Match names the version, or is absent */
export function requireVersion(version: number, { ifMatch }: Preconditions): void {
  if (ifMatch === undefined || names(ifMatch, version)) return;
  throw new ProbityError(
    'precondition_failed',
    `the resource has the version ${entityTagOf({ version })}, not one of If-Match`,
  );
}

/** Whether If-None-Match names the version, so that the client has the resource already. */
export function isKnownVersion(version: number, { ifNoneMatch }: Preconditions): boolean {
  return ifNoneMatch !== undefined && names(ifNoneMatch, version);
}

/** Weak comparison (RFC 9110, section 8.8.3.2). */
function names(header: string, version: number): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//i, ''));
  return tags.includes('*') || tags.includes(`"${version}"`);
}
