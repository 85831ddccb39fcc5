import ipaddr from 'ipaddr.js';
import type { Network } from './networks.ts';
import { isInNetwork, parseAddress } from './networks.ts';
import {
  GLOBAL_UNICAST_IPV6_NETWORK,
  SPECIAL_IPV4_NETWORKS,
  SPECIAL_IPV6_NETWORKS,
} from './special-networks.ts';

const specialNetworks: readonly Network[] = [
  ...SPECIAL_IPV4_NETWORKS,
  ...SPECIAL_IPV6_NETWORKS,
].map((cidr) => ipaddr.parseCIDR(cidr));
const globalUnicast: Network = ipaddr.parseCIDR(GLOBAL_UNICAST_IPV6_NETWORK);

/**
 * Whether the address is publicly routable. Decided on parsed bytes, never on text: an IPv4-mapped
 * IPv6 address counts as its IPv4 address, and IPv6 is public only inside 2000::/3. Anything that
 * is not an address in strict text form (octal or shortened IPv4, a zone suffix, a host name) is
 * not public.
 *
 * Source: the IANA special-purpose address registries (RFC 6890 and its successors).
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  if (parsed.kind() === 'ipv6' && !isInNetwork(parsed, globalUnicast)) return false;
  return !specialNetworks.some((network) => isInNetwork(parsed, network));
}
