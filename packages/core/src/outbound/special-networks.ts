/**
 * IPv4 networks that requests must not reach: the IANA IPv4 Special-Purpose Address Registry (RFC
 * 6890), and addresses that cloud providers serve to their own machines.
 */
export const SPECIAL_IPV4_NETWORKS = [
  '0.0.0.0/8', // "this network", unspecified (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598); Alibaba Cloud metadata at 100.100.100.200
  '127.0.0.0/8', // loopback (RFC 1122)
  '168.63.129.16/32', // Azure platform services, an address that looks public
  '169.254.0.0/16', // link-local (RFC 3927); cloud metadata at 169.254.169.254 and others
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // IETF protocol assignments (RFC 6890); Oracle Cloud metadata at 192.0.0.192
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112 (RFC 7535)
  '192.52.193.0/24', // AMT (RFC 7450)
  '192.88.99.0/24', // 6to4 relay anycast, deprecated (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '192.175.48.0/24', // AS112 (RFC 7534)
  '198.18.0.0/15', // benchmarking (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved (RFC 1112) and limited broadcast 255.255.255.255 (RFC 919)
] as const;

/**
 * The only IPv6 space that IANA has opened for global unicast (RFC 4291, section 2.4). It excludes
 * loopback, unspecified, IPv4-compatible, translated and mapped forms, NAT64 (64:ff9b::/96 and
 * 64:ff9b:1::/48), discard (100::/64), SRv6 (5f00::/16), unique local (fc00::/7 with AWS metadata
 * at fd00:ec2::254), link-local, site-local and multicast.
 */
export const GLOBAL_UNICAST_IPV6_NETWORK = '2000::/3';

/**
 * Networks inside global unicast space that requests must not reach: the IANA IPv6 Special-Purpose
 * Address Registry, and returned space.
 */
export const SPECIAL_IPV6_NETWORKS = [
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID (RFC 2928)
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4, carries an IPv4 address (RFC 3056)
  '2620:4f:8000::/48', // AS112 (RFC 7534)
  '3ffe::/16', // former 6bone (RFC 3701)
  '3fff::/20', // documentation (RFC 9637)
] as const;
