import { LRUCache } from 'lru-cache';
import { parseAddress } from '../outbound/networks.ts';

/**
 * Bytes of an IPv6 address that identify a network; one customer usually has all hosts of a /64.
 */
const IPV6_NETWORK_BYTES = 8;

/**
 * The subject of a request without a credential: its IPv4 address, or the /64 network of its IPv6
 * address. Values that are not addresses, such as text in a trusted proxy's X-Forwarded-For, share
 * one subject, so that inventing values does not yield further limits.
 */
export function addressSubject(address: string | null): string {
  const parsed = address === null ? undefined : parseAddress(address);
  if (!parsed) return 'address:unknown';
  const bytes = Buffer.from(parsed.toByteArray());
  const counted = parsed.kind() === 'ipv4' ? bytes : bytes.subarray(0, IPV6_NETWORK_BYTES);
  return `address:${counted.toString('hex')}`;
}

/** Bytes of an address that name its networks, from the widest on: what one owner often holds whole. */
const NETWORK_BYTES = { ipv4: [3, 4], ipv6: [6, 7, IPV6_NETWORK_BYTES] } as const;

/**
 * The networks of a client address, for sharing something out network by network: /48, /56 and /64 of
 * an IPv6 address (RFC 6177: what sites are given), /24 and the address itself for IPv4. Values that
 * are not addresses share one.
 */
export function addressNetworks(address: string | null): readonly string[] {
  if (address === null) return UNKNOWN;
  let networks = known.get(address);
  if (!networks) {
    networks = networksOf(address);
    known.set(address, networks);
  }
  return networks;
}

const UNKNOWN = ['unknown'] as const;

/** Of the addresses seen last: a client sends more than one request. */
const known = new LRUCache<string, readonly string[]>({ max: 1_000 });

function networksOf(address: string): readonly string[] {
  const parsed = parseAddress(address);
  if (!parsed) return UNKNOWN;
  const hex = Buffer.from(parsed.toByteArray()).toString('hex');
  return NETWORK_BYTES[parsed.kind()].map((bytes) => `${parsed.kind()}:${hex.slice(0, 2 * bytes)}`);
}
