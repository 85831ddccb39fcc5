import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { GatewayConfig } from '../config/read-config.ts';

/** What is known of who sent a text. */
export interface ScanOrigin {
  /** The address of the connection; null where there is none. */
  readonly address: string | null;
  /** Users that the caller's API key may name; `*` for all. */
  readonly keyUsers: readonly string[];
  /** Domains that the caller's API key may name; `*` for all. Absent where requests name none. */
  readonly keyDomains?: readonly string[];
  readonly userId?: string | undefined;
  readonly sourceDomain?: string | undefined;
}

/** Why a text is not scanned. */
export type Bypass = 'domain' | 'user' | 'address';

/** Says which texts are not scanned. */
export interface Allowlists {
  bypassOf(origin: ScanOrigin): Bypass | null;
}

/** Compiles the lists of a configuration. */
export function createAllowlists({ allowlists }: GatewayConfig): Allowlists {
  const { whitelisted_domains, exempt_users, exempt_ips } = allowlists;
  const domains = whitelisted_domains.map(toDomainTest);
  const users = new Set(exempt_users);
  // To read an address costs more than the rest.
  const networks = exempt_ips.length > 0 ? toBlockList(exempt_ips) : null;
  return {
    bypassOf({ address, keyUsers, keyDomains = [], userId, sourceDomain }) {
      // Most requests come with keys that may name no domain.
      const domain = sourceDomain === undefined || !keyDomains.length ? '' : toName(sourceDomain);
      if (domain !== '' && domains.some((matches) => matches(domain))) {
        if (keyDomains.some((each) => each === '*' || toDomainTest(each)(domain))) return 'domain';
      }
      if (userId !== undefined && users.has(userId)) {
        if (keyUsers.includes('*') || keyUsers.includes(userId)) return 'user';
      }
      return address !== null && networks !== null && contains(networks, address)
        ? 'address'
        : null;
    },
  };
}

/** A name in one form: small letters, punycode, without the dot of the root. */
function toName(domain: string): string {
  return domainToASCII(domain).toLowerCase().replace(/\.$/, '');
}

function toDomainTest(entry: string): (domain: string) => boolean {
  if (!entry.startsWith('*.')) {
    const name = toName(entry);
    return (domain) => domain === name;
  }
  const ending = `.${toName(entry.slice(2))}`;
  return (domain) => domain.length > ending.length && domain.endsWith(ending);
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(plain);
  return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}
