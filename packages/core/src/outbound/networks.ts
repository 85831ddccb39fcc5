import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 or IPv6 address as parsed bytes. */
type ParsedAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: its first address and the length of its prefix in bits. */
export type Network = readonly [ParsedAddress, number];

/** Networks that may be reached although they are not public, each on all or on some ports. */
export interface NetworkAllowList {
  /** Whether an entry contains both the address and the port; false for unparseable text. */
  allows(address: string, port: number): boolean;
  /** Whether an entry contains the port, whatever the address. */
  coversPort(port: number): boolean;
  /**
   * Whether an entry for loopback addresses alone, with a port, contains both: `127.0.0.1/32:8081`, and neither
   * `127.0.0.1/32` nor `0.0.0.0/0:8081`.
   */
  namesLoopback(address: string, port: number): boolean;
}

/** A set of networks, such as those of the trusted proxies. */
export interface CidrList {
  /** Whether one of the networks contains the address; false for unparseable text. */
  contains(address: string): boolean;
}

interface AllowedNetwork {
  readonly network: Network;
  readonly firstPort: number;
  readonly lastPort: number;
}

/**
 * Parses a comma-separated list of networks with an optional port or port range, such as
 * `127.0.0.1/32:8443,[::1]/128:9000-9100,10.0.0.0/8`. IPv6 needs brackets before a port. A single
 * address is a network of one; an IPv4-mapped IPv6 address is its IPv4 address. Empty text is the
 * empty list.
 *
 * @throws RangeError that quotes the first bad entry.
 */
export function parseNetworkAllowList(text: string): NetworkAllowList {
  const entries = splitEntries(text).map(parseAllowedNetwork);
  const loopback = entries.filter(isForLoopback);
  return {
    allows: (address, port) => includesAddress(entries, address, port),
    coversPort: (port) => entries.some((entry) => hasPort(entry, port)),
    namesLoopback: (address, port) => includesAddress(loopback, address, port),
  };
}

/**
 * Parses a comma-separated list of networks and single addresses, without ports.
 *
 * @throws RangeError that quotes the first bad entry.
 */
export function parseCidrList(text: string): CidrList {
  const networks = splitEntries(text).map((entry) => parseNetwork(entry, entry));
  return {
    contains(address) {
      if (networks.length === 0) return false;
      const parsed = parseAddress(address);
      return parsed !== undefined && networks.some((network) => isInNetwork(parsed, network));
    },
  };
}

/**
 * Normalizes a network or a single address to its canonical text: dotted IPv4 or RFC 5952 IPv6,
 * always with its prefix length, such as `192.0.2.7/32` or `2001:db8::/32`.
 *
 * @throws RangeError that quotes `text` and describes its fault.
 */
export function toCanonicalNetwork(text: string): string {
  const [first, prefixBits] = parseNetwork(text, text);
  const address = first instanceof ipaddr.IPv6 ? first.toRFC5952String() : first.toString();
  return `${address}/${prefixBits}`;
}

/**
 * Parses an address to bytes, with IPv4-mapped IPv6 (RFC 4291, section 2.5.5.2) as its IPv4
 * address; undefined for everything but the strict text forms, and for addresses with a zone.
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  return ipaddr.process(isIP(text) === 6 ? toHexForm(text) : text);
}

/**
 * ipaddr.js reads `::8.8.8.8` as `::ffff:8.8.8.8`, so the URL parser rewrites a dotted tail first.
 */
function toHexForm(ipv6: string): string {
  return ipv6.includes('.') ? new URL(`https://[${ipv6}]`).hostname.slice(1, -1) : ipv6;
}

/** Whether the address is of the network's family and shares its prefix. */
export function isInNetwork(address: ParsedAddress, [first, prefixBits]: Network): boolean {
  return address.kind() === first.kind() && address.match(first, prefixBits);
}

function includesAddress(
  entries: readonly AllowedNetwork[],
  address: string,
  port: number,
): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  return entries.some((entry) => hasPort(entry, port) && isInNetwork(parsed, entry.network));
}

/** Loopback (RFC 1122, RFC 4291). */
const LOOPBACK: readonly Network[] = ['127.0.0.0/8', '::1/128'].map((text) =>
  ipaddr.parseCIDR(text),
);

/** Whether the entry has a port, and loopback addresses only. */
function isForLoopback({ network: [first, prefixBits], firstPort }: AllowedNetwork): boolean {
  const isInside = (loopback: Network) => prefixBits >= loopback[1] && isInNetwork(first, loopback);
  return firstPort > 0 && LOOPBACK.some(isInside);
}

function hasPort({ firstPort, lastPort }: AllowedNetwork, port: number): boolean {
  return firstPort <= port && port <= lastPort;
}

function splitEntries(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

/** Brackets, then an optional prefix length and ports; or the same without brackets for IPv4. */
const withPorts = /^(?:\[([^\]]*)\]|([^:[\]]*?))(\/\d+)?(?::(\d+)(?:-(\d+))?)?$/;

function parseAllowedNetwork(entry: string): AllowedNetwork {
  const match = withPorts.exec(entry);
  if (match === null)
    return { network: parseNetwork(entry, entry), firstPort: 0, lastPort: 65_535 };
  const [, bracketed, plain, prefix = '', low, high = low] = match;
  if (bracketed !== undefined && isIP(bracketed) !== 6) throw badEntry(entry, 'brackets hold IPv6');
  const network = parseNetwork(`${bracketed ?? plain}${prefix}`, entry);
  if (low === undefined || high === undefined) return { network, firstPort: 0, lastPort: 65_535 };
  const firstPort = Number(low);
  const lastPort = Number(high);
  if (firstPort < 1 || lastPort > 65_535 || firstPort > lastPort) {
    throw badEntry(entry, 'ports are 1 to 65535, the lower one first');
  }
  return { network, firstPort, lastPort };
}

function parseNetwork(text: string, entry: string): Network {
  const [addressText = '', prefixText, ...rest] = text.split('/');
  const address = parseAddress(addressText);
  if (address === undefined || rest.length > 0)
    throw badEntry(entry, 'not an address or a network');
  const isMapped = isIP(addressText) === 6 && address.kind() === 'ipv4';
  const size = address.kind() === 'ipv4' ? 32 : 128;
  const prefixBits = prefixText === undefined ? size : toPrefixBits(prefixText, isMapped);
  if (!(prefixBits >= 0 && prefixBits <= size)) throw badEntry(entry, 'bad prefix length');
  const isFirst = address.toByteArray().every((byte, index) => {
    const hostBits = Math.min(8, Math.max(0, 8 * (index + 1) - prefixBits));
    return byte % 2 ** hostBits === 0;
  });
  if (!isFirst) throw badEntry(entry, 'the address has bits beyond the prefix');
  return [address, prefixBits];
}

function toPrefixBits(text: string, isMapped: boolean): number {
  if (!/^\d{1,3}$/.test(text)) return Number.NaN;
  return isMapped ? Number(text) - 96 : Number(text);
}

function badEntry(entry: string, reason: string): RangeError {
  return new RangeError(`"${entry}" in a list of networks: ${reason}`);
}
