import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { isInternalName } from './internal-names.ts';
import type { NetworkAllowList } from './networks.ts';

/** Reason of a rejected target: the text of the URL, or its address. */
type TargetRefusal = 'invalid_url' | 'refused_address';

/** Target of a URL in the form used for DNS queries and connections. */
export interface OutboundTarget {
  /** As the URL parser normalizes it, without a trailing dot in the name. */
  readonly url: URL;
  /** The name, or the literal address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A rejected target; `reason` is a sentence without its subject, for an error's `details`. */
interface RefusedTarget {
  readonly ok: false;
  readonly code: TargetRefusal;
  readonly reason: string;
}

/** Result of `checkOutboundUrl` and `checkOutboundTarget`. */
export type OutboundCheck = ({ readonly ok: true } & OutboundTarget) | RefusedTarget;

/** The longest accepted URL, in UTF-16 code units (contract, "Webhooks"). */
export const MAX_URL_LENGTH = 2_048;

/** The fault of a plain http URL that is not for development. */
const NEEDS_HTTPS =
  'must be an absolute https URL; for development, http is accepted to a loopback address with a port that the egress setting names, such as 127.0.0.1/32:8081 for http://127.0.0.1:8081';

/**
 * Checks a URL by its text alone, without DNS: https, no userinfo, no fragment, at most 2,048
 * characters, no whitespace, backslash or control character. A literal address must be public or
 * allow-listed with its port. An internal name (`localhost`, `*.internal`, any name without a dot,
 * ...) can only resolve to an allow-listed address, so it is rejected here when nothing is
 * allow-listed on its port, and otherwise left to `checkOutboundTarget` and the dialer.
 * Plain http is for development: to a literal loopback address or `localhost`, where an entry of the allow-list names
 * that address and port (see `namesLoopback`).
 */
export function checkOutboundUrl(text: string, allow: NetworkAllowList): OutboundCheck {
  const url = parseUrl(text);
  if (typeof url === 'string') return { ok: false, code: 'invalid_url', reason: url };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isPlain(url) ? 80 : 443) : Number(url.port);
  if (port === 0) return { ok: false, code: 'invalid_url', reason: 'must not use port 0' };
  const target: OutboundTarget = { url, host, port };
  if (isPlain(url) && !mayBePlain(target, allow)) {
    return { ok: false, code: 'invalid_url', reason: NEEDS_HTTPS };
  }
  if (isIP(target.host) !== 0) return checkAddresses(target, [target.host], allow);
  if (isInternalName(target.host) && !allow.coversPort(target.port)) {
    return refused('must not name a host of an internal network');
  }
  return { ok: true, ...target };
}

/**
 * Checks all addresses of a target's name. One address that is neither public nor allow-listed for
 * the port rejects the target as a whole: a name that mixes public and private addresses is either
 * an attack or a mistake, and picking the good ones would hide both. For an internal name, public
 * addresses do not count: all must be allow-listed. The reason names no address, so that it does
 * not disclose the internal network's DNS.
 */
export function checkAddresses(
  target: OutboundTarget,
  addresses: readonly string[],
  allow: NetworkAllowList,
): OutboundCheck {
  const isInternal = isIP(target.host) === 0 && isInternalName(target.host);
  const isGood = (address: string) =>
    isPlain(target.url)
      ? allow.namesLoopback(address, target.port)
      : allow.allows(address, target.port) || (!isInternal && isPublicAddress(address));
  return addresses.length > 0 && addresses.every(isGood)
    ? { ok: true, ...target }
    : refused('must not lead to a private, loopback, link-local or otherwise reserved address');
}

/** Whether requests to the URL go without TLS. */
export function isPlain({ protocol }: URL): boolean {
  return protocol === 'http:';
}

/** Whether the target is loopback by its text; `localhost` is resolved later, and its addresses are checked then. */
function mayBePlain({ host, port }: OutboundTarget, allow: NetworkAllowList): boolean {
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  return addresses.some((address) => allow.namesLoopback(address, port));
}

function refused(reason: string): RefusedTarget {
  return { ok: false, code: 'refused_address', reason };
}

/** Parses the URL, or returns the fault in its text. */
function parseUrl(text: string): URL | string {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  // The parser drops or rewrites these silently; the stored URL must be the one that is dialed.
  if (/[\s\\]|\p{Cc}/u.test(text)) return 'must not contain whitespace or backslashes';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'must be an absolute https URL';
  if (text.includes('#')) return 'must not have a fragment';
  if (/^https?:\/\/[^/?]*@/i.test(text)) return 'must not contain user information';
  if (!URL.canParse(text)) return 'must be a valid URL';
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  return /^\.|\.\.|\.$/.test(url.hostname) ? 'must not have an empty label in its host name' : url;
}
