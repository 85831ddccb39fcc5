/**
 * Cookies of a signed-in person; `__Host-` binds them to this host and to HTTPS (RFC 6265bis,
 * section 4.1.3.2).
 */
export const COOKIES = {
  /** The access token of requests by a browser. */
  access: '__Host-probity_access',
  /** The refresh token. */
  refresh: '__Host-probity_refresh',
  /**
   * The CSRF token that state-changing requests repeat in X-CSRF-Token; scripts of the page can
   * read it.
   */
  csrf: '__Host-probity_csrf',
} as const;

/** Header of the CSRF token, required for state-changing requests authenticated by cookie. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** The value of a cookie in the Cookie header, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end >= 0 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim();
  }
  return undefined;
}

/** Attributes of a cookie. */
export interface CookieOptions {
  /** Seconds; 0 removes the cookie. */
  readonly maxAgeSeconds: number;
  /** Whether scripts may read it; default false. */
  readonly isReadable?: boolean;
}

/**
 * A value for Set-Cookie; the cookie is sent over HTTPS only and never with cross-site requests.
 */
export function toSetCookie(
  name: string,
  value: string,
  { maxAgeSeconds, isReadable = false }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; Secure; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isReadable ? '' : '; HttpOnly'}`;
}
