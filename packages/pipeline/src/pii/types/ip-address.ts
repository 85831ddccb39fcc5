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
  cues: [
    'ip*,ipv4,ipv6,address,client*,host*,server*,gateway,remote*,source*,src,dst,addr*,dns,subnet*,nameserver',
    'ping*,adresse,direccion,indirizzo,endereco,adres,login*,logged in,connected,request*,came from,blocked,node',
    'peer,inet,inet6,listen*,proxy,firewall,traffic,connection*,from,vpn,container,router,dhcp,lan,wan,vlan,ssh,whois',
    'traceroute,iptables,fail2ban,attacker,visitor*,besucher*,upstream,docker,printer,nas,leased,laptop,session*',
  ],
  scriptCues: '地址,アドレス,주소,адрес,عنوان,पता,διευθυνση,כתובת',
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
