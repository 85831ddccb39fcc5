import type { IncomingMessage } from 'node:http';
import type { CidrList } from '../outbound/networks.ts';
import { isFromTrustedProxy } from './client-address.ts';

/** What names the server's origin besides the request itself. */
export interface OwnOriginOptions {
  /** The public URL of the server, where it is known. */
  readonly baseUrl?: string | undefined;
  readonly trustedProxies: CidrList;
}

/**
 * Whether a page of `origin` is served by this server: the origin is that of `baseUrl`, or has the
 * host that the request was sent to. Many proxies replace Host by the address of the server behind
 * them, so that of X-Forwarded-Host counts too when a trusted proxy sent it.
 */
export function isOwnOrigin(
  origin: string,
  request: IncomingMessage,
  { baseUrl, trustedProxies }: OwnOriginOptions,
): boolean {
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (baseUrl !== undefined && new URL(baseUrl).origin === page.origin) return true;
  const { headers } = request;
  // HTTP/2 has :authority in place of Host.
  const hosts = [headers.host ?? headers[':authority']];
  if (isFromTrustedProxy(request, trustedProxies)) hosts.push(headers['x-forwarded-host']);
  return hosts.flat().some((host) => host !== undefined && isHostOf(page, host));
}

/** Whether `host`, of a list the first, is the page's; some proxies append the default port. */
function isHostOf({ protocol, host }: URL, given: string): boolean {
  const url = `${protocol}//${given.split(',', 1)[0]?.trim()}`;
  return URL.canParse(url) && new URL(url).host === host;
}
