import { hide } from '../../redaction/hide.ts';
import type { PiiTypeDefinition } from '../pii-type.ts';

const FIRST_NUMBER = /^(\d{1,3})(\.[\d.]+)$/;

/** IPv4 and IPv6 addresses. */
export const ipAddress: PiiTypeDefinition<'ip_address'> = {
  type: 'ip_address',
  risk: 0.3,
  severity: 'low',
  hasDigit: false,
  isGeneral: true,
  // Four numbers with dots between them are no other kind of personal data.
  isContradicted: false,
  mask: maskAddress,
  cues: `
    ip*, ipv4, ipv6, src, dst, addr*, dns, subnet*, nameserver, ping*, inet, inet6, proxy,
    firewall, vpn, container, router, dhcp, lan, wan, vlan, ssh, whois, traceroute, iptables,
    fail2ban, docker, nas`,
  load: async () => {
    const { findIpAddress } = await import('../ip-address.ts');
    return () => findIpAddress;
  },
};

/** Keeps the first number of an IPv4 address. */
function maskAddress(value: string): string {
  const [, first, rest] = FIRST_NUMBER.exec(value) ?? [];
  return first === undefined || rest === undefined ? hide(value) : first + hide(rest);
}
