import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../src/outbound/addresses.ts';

/** First, last and inner addresses of every network that must stay unreachable. */
const refusedAddresses: Record<string, string[]> = {
  'unspecified and "this network"': [
    '0.0.0.0',
    '0.0.0.1',
    '0.255.255.255',
    '::',
    '0:0:0:0:0:0:0:0',
  ],
  'private (RFC 1918)': [
    ...['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255'],
    ...['192.168.0.0', '192.168.255.255'],
  ],
  loopback: ['127.0.0.1', '127.0.0.0', '127.255.255.255', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::', 'fe80::1', 'febf:ffff::1'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  'cloud metadata': [
    ...['169.254.169.254', '169.254.170.2', '169.254.0.23', '100.100.100.200', '168.63.129.16'],
    ...['192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:169.254.169.254'],
    '64:ff9b::a9fe:a9fe',
  ],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', 'ffff:ffff::1'],
  'reserved and broadcast': ['240.0.0.0', '254.255.255.255', '255.255.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '2001::', '2001:1ff:ffff::1'],
  documentation: [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '2001:db8:ffff::1'],
    ...['3fff::1', '3fff:fff:ffff::1'],
  ],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  'AS112, AMT and 6to4 relays': ['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  'AS112 and AMT in IPv6': ['2620:4f:8000::1', '2001:4:112::1', '2001:3::1'],
  'unique local': ['fc00::', 'fc00::1', 'fd00::1', 'fdff:ffff::1'],
  'site-local': ['fec0::', 'fec0::1', 'feff::1'],
  NAT64: ['64:ff9b::', '64:ff9b::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  '6to4': ['2002::', '2002:7f00:1::1', '2002:a9fe:a9fe::', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ORCHID: ['2001:10::1', '2001:20::1', '2001:30::1'],
  SRv6: ['5f00::1', '5f00:ffff::1'],
  'discard and dummy': ['100::', '100::1', '100:0:0:1::1'],
  'former 6bone': ['3ffe::1', '3ffe:ffff::1'],
  'outside global unicast': ['1::1', '1fff:ffff::1', '4000::1', 'fbff::1', '200::1', 'fe00::1'],
  'IPv4-mapped forms': [
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::FFFF:192.168.1.1'],
    ...['::ffff:0.0.0.0', '0:0:0:0:0:ffff:7f00:0001', '::ffff:100.64.0.1', '::ffff:a9fe:a9fe'],
  ],
  'IPv4-compatible and translated forms': [
    ...['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ],
  'text that is no strict address': [
    ...[
      '',
      ' ',
      'localhost',
      'example.com',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '8.8.8',
    ],
    ...['0177.0.0.1', '08.8.8.8', '8.8.8.08', '0x8.8.8.8', '8.8.8.8 ', ' 8.8.8.8', '8.8.8.8:53'],
    ...['8.8.8.8/32', '8.8.8.256', '8.8.8.8.', '8.8.8.8.8', '-8.8.8.8', '８.8.8.8', '8。8.8.8'],
    ...['[::1]', '[2606:4700::1111]', '2606:4700::1111%eth0', 'fe80::1%1', '2606:4700:::1', ':::'],
    ...[
      '2606:4700::1111::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '::ffff:8.8.8',
      '::g',
      '8.8.8.8\0',
    ],
  ],
};

for (const [kind, addresses] of Object.entries(refusedAddresses)) {
  for (const address of addresses) {
    test(`${kind}: ${JSON.stringify(address)} is not public`, () => {
      assert.equal(isPublicAddress(address), false);
    });
  }
}

const publicAddresses = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17', '169.253.255.255'],
  ...['169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255'],
  ...[
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.114.0',
    '223.255.255.255',
  ],
  ...[
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
  ],
  ...['2606:4700:4700::1111', '2A00:1450::1', '3ffd::1', '3fff:1000::1', '::ffff:8.8.8.8'],
  '::ffff:808:808',
];

for (const address of publicAddresses) {
  test(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
}

test('every IPv6 form that carries an IPv4 address is at most as public as that address', () => {
  const octet = fc.nat(255);
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const address = [a, b, c, d].join('.');
      assert.equal(isPublicAddress(`::ffff:${address}`), isPublicAddress(address));
      const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
      for (const form of [`::${address}`, `64:ff9b::${address}`, `2002:${high}:${low}::1`]) {
        assert.equal(isPublicAddress(form), false);
      }
    }),
  );
});

test('no text makes isPublicAddress throw', () => {
  fc.assert(fc.property(fc.string(), (text) => typeof isPublicAddress(text) === 'boolean'));
  fc.assert(fc.property(fc.ipV6(), (text) => typeof isPublicAddress(text) === 'boolean'));
});
