import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { CidrList } from '../outbound/networks.ts';
import { fetchRequestOf } from './fetch-requests.ts';

/**
 * The client's address: the peer's, or, if the peer is a trusted proxy, the nearest address in
 * X-Forwarded-For that is not one, read from right to left. Null when the connection is closed,
 * when a proxy sends text that is not an address, and under `probity.fetch`.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: CidrList): string | null {
  // A request of the Fetch API names no peer, and headers alone prove nothing.
  if (fetchRequestOf(request).request) return null;
  let address = peerOf(request);
  if (!address) return null;
  if (!trustedProxies.contains(address)) return address;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
  const hops = forwarded.split(',').map((hop) => hop.trim());
  while (trustedProxies.contains(address)) {
    const hop = withoutMapping(withoutPort(hops.pop()));
    if (!hop) break;
    if (isIP(hop) === 0) return null;
    address = hop;
  }
  return address;
}

/** Whether the peer that sent the request is a trusted proxy; never so under `probity.fetch`. */
export function isFromTrustedProxy(request: IncomingMessage, trustedProxies: CidrList): boolean {
  if (fetchRequestOf(request).request) return false;
  const peer = peerOf(request);
  return peer !== undefined && trustedProxies.contains(peer);
}

/** A request that was destroyed before its end, as by an iteration that stops, has no socket. */
function peerOf({ socket }: { readonly socket: Socket | null }): string | undefined {
  return withoutMapping(socket?.remoteAddress);
}

/** `::ffff:192.0.2.1` is how a dual-stack socket reports an IPv4 address. */
function withoutMapping(address: string | undefined): string | undefined {
  // Most are IPv4 addresses, for which no expression needs to run.
  return address?.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.)/i, '') : address;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string | undefined): string | undefined {
  return hop?.replace(/^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/, '$1$2');
}
