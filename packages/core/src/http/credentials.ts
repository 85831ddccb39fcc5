import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { equalSecrets } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import { COOKIES, CSRF_HEADER, readCookie } from './cookies.ts';
import type { OwnOriginOptions } from './own-origin.ts';
import { isOwnOrigin } from './own-origin.ts';

/** The credential of a request. */
export interface Credential {
  readonly token: string;
  /**
   * Browsers send cookies automatically, so cookies alone do not prove that our page sent the
   * request.
   */
  readonly source: 'authorization' | 'cookie';
}

const BEARER = /^bearer +([^\s]+) *$/i;

/**
 * The bearer token or, without an Authorization header, the token in the first of these headers, else the access cookie.
 */
export function credentialOf(
  headers: IncomingHttpHeaders,
  tokenHeaders: readonly string[] = [],
): Credential | null {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const token = BEARER.exec(authorization)?.[1];
    return token === undefined ? null : { token, source: 'authorization' };
  }
  for (const name of tokenHeaders) {
    const given = headers[name];
    if (typeof given === 'string') return { token: given, source: 'authorization' };
  }
  const token = readCookie(cookie, COOKIES.access);
  return token ? { token, source: 'cookie' } : null;
}

/**
 * Refuses a request that another site's page has made a browser send. The credential of a request
 * without a bearer token is one that browsers attach by themselves, such as a cookie.
 * Browsers report their origin in Sec-Fetch-Site or Origin; other clients send neither.
 * @throws ProbityError `forbidden`
 */
export function requireSameOrigin(request: IncomingMessage, options: OwnOriginOptions): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && (origin === undefined || isOwnOrigin(origin, request, options))) return;
  throw new ProbityError(
    'forbidden',
    'A page of another origin must not change anything by cookie: send Authorization: Bearer.',
  );
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests with this method may change state (RFC 9110, section 9.2.1). */
export function isStateChanging(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Accepts a request by cookie only if it repeats the session's CSRF token in X-CSRF-Token.
 * @throws ProbityError `forbidden` that names the header
 */
export function requireCsrfToken(headers: IncomingHttpHeaders, csrfToken: string): void {
  const given = headers[CSRF_HEADER.toLowerCase()];
  if (typeof given === 'string' && equalSecrets(csrfToken, given)) return;
  throw new ProbityError(
    'forbidden',
    `A request that is authenticated by cookie and changes state needs the header ${CSRF_HEADER} with the session's csrf_token.`,
  );
}
