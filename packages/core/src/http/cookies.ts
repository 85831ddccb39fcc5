/** Cookies of a person who signed in; `__Host-` binds them to this host and to HTTPS (RFC 6265bis, section 4.1.3.2). */
export const COOKIES = {
  /** The access token, for the requests of a browser. */
  access: '__Host-probity_access',
  /** The refresh token. */
  refresh: '__Host-probity_refresh',
  /** What state-changing requests repeat in X-CSRF-Token; scripts of the page can read it. */
  csrf: '__Host-probity_csrf',
} as const;

/** The header in which a state-changing request by cookie proves that our own page sent it. */
export const CSRF_HEADER = 'X-CSRF-Token';

/** The value of a cookie in the header Cookie, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end >= 0 && pair.slice(0, end).trim() === name) return pair.slice(end + 1).trim();
  }
  return undefined;
}

/** How a cookie is set. */
export interface CookieOptions {
  /** 0 removes it. */
  readonly maxAgeSeconds: number;
  /** Whether scripts may read it; default false. */
  readonly isReadable?: boolean;
}

/** A value for Set-Cookie; sent back over HTTPS only, and never with requests from other sites. */
export function toSetCookie(
  name: string,
  value: string,
  { maxAgeSeconds, isReadable = false }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; Secure; SameSite=Strict`;
  return `${name}=${value}; ${attributes}${isReadable ? '' : '; HttpOnly'}`;
}
