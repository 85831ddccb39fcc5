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
