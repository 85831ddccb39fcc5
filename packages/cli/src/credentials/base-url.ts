import { usageFailure } from '../failure.ts';

/** Where `probity-server` serves unless it is told otherwise. */
export const DEFAULT_BASE_URL = 'http://127.0.0.1:3000';

/**
 * The base of the addresses of a server, without a slash at its end.
 * @param source what the message names, such as `--base-url`
 * @throws CommandFailure for what is no http or https address, or has a user, a query or a fragment
 */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(`${source}: expected an address such as https://probity.example`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw usageFailure(`${source}: the address must have no user, query or fragment`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The path of the general API of `probity-server`. */
export const GENERAL_PATH = '/api/v1';

/** @throws CommandFailure for an address with the path of the general API, which is added to it */
export function requireNoApiPath(baseUrl: string, source: string): void {
  if (!baseUrl.endsWith(GENERAL_PATH)) return;
  const address = baseUrl.slice(0, -GENERAL_PATH.length);
  throw usageFailure(`${source}: leave out ${GENERAL_PATH}: ${address}`);
}

/** Whether a key would cross a network in the clear. */
export function isUnprotected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}

/**
 * `PROBITY_API_PATH`: the path at which an application mounts the general API.
 * @throws CommandFailure for what is no path
 */
export function parseApiPath(text: string): string {
  if (/^(\/[\w.~-]+)+\/?$/.test(text)) return text.replace(/\/$/, '');
  throw usageFailure('PROBITY_API_PATH: expected a path such as /probity');
}
