import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  parseCidrList,
  parseNetworkAllowList,
  toCanonicalNetwork,
} from '../../src/outbound/networks.ts';

const allowCases: [list: string, address: string, port: number, allowed: boolean][] = [
  ['127.0.0.1/32:8443', '127.0.0.1', 8443, true],
  ['127.0.0.1/32:8443', '127.0.0.1', 8444, false],
  ['127.0.0.1/32:8443', '127.0.0.2', 8443, false],
  ['127.0.0.1/32:8443', '::ffff:127.0.0.1', 8443, true],
  ['127.0.0.1/32:8443', '::ffff:7f00:1', 8443, true],
  ['127.0.0.1:8443', '127.0.0.1', 8443, true],
  ['10.0.0.0/8', '10.255.255.255', 65_535, true],
  ['10.0.0.0/8', '11.0.0.0', 1, false],
  ['10.1.2.3', '10.1.2.3', 443, true],
  ['10.1.2.3', '10.1.2.4', 443, false],
  ['[::1]/128:9000-9100', '::1', 9000, true],
  ['[::1]/128:9000-9100', '::1', 9100, true],
  ['[::1]/128:9000-9100', '::1', 8999, false],
  ['[::1]/128:9000-9100', '::1', 9101, false],
  ['[::1]:9000', '0:0:0:0:0:0:0:1', 9000, true],
  ['::1', '::1', 443, true],
  ['fd00::/8', 'fd12::1', 443, true],
  ['[fd00::]/8', 'fd12::1', 443, true],
  ['::ffff:10.0.0.0/104', '10.9.9.9', 443, true],
  ['0.0.0.0/0', '::1', 443, false],
  ['::/0', '127.0.0.1', 443, false],
  ['10.0.0.0/8', '::10.0.0.1', 443, false],
  [' 10.0.0.0/8 , 127.0.0.1/32:1-2 ', '127.0.0.1', 2, true],
  ['', '127.0.0.1', 443, false],
  ['0.0.0.0/0,::/0', 'localhost', 443, false],
  ['0.0.0.0/0,::/0', '127.1', 443, false],
  ['0.0.0.0/0,::/0', 'fe80::1%eth0', 443, false],
];

for (const [list, address, port, allowed] of allowCases) {
  test(`"${list}" ${allowed ? 'allows' : 'does not allow'} ${address} port ${port}`, () => {
    assert.equal(parseNetworkAllowList(list).allows(address, port), allowed);
  });
}

const badEntries = [
  ['10.0.0.0/33'],
  ['10.0.0.0/'],
  ['10.0.0.0/8/8'],
  ['10.0.0.0/8:'],
  ['10.0.0.0/8:0'],
  ['10.0.0.0/8:65536'],
  ['10.0.0.0/8:20-10'],
  ['10.0.0.0/8:a'],
  ['10.0.0.0/8:1-2-3'],
  ['10.1.2.3/8'],
  ['010.0.0.0/8'],
  ['10.0/8'],
  ['[10.0.0.0]/8'],
  ['[::1'],
  ['::1]'],
  ['[]:80'],
  ['fd00::1/8'],
  ['::1/129'],
  ['::ffff:10.0.0.0/64'],
  ['localhost'],
  ['fe80::1%eth0/64'],
  ['10.0.0.0/8,,127.0.0.1', ''],
  ['10.0.0.0/8,', ''],
  ['127.0.0.1,*', '*'],
] as const;

for (const [list, culprit = list] of badEntries) {
  test(`an allow-list of "${list}" is refused by naming "${culprit}"`, () => {
    assert.throws(() => parseNetworkAllowList(list), {
      name: 'RangeError',
      message: new RegExp(`^"${culprit.replace(/[[\]*.]/g, '\\$&')}" `),
    });
  });
}

test('an allow-list reports which ports its entries cover', () => {
  const allow = parseNetworkAllowList('127.0.0.1:8443,[::1]:9000-9100');
  const ports = [443, 8443, 9000, 9050, 9100, 9101];
  assert.deepEqual(
    ports.filter((port) => allow.coversPort(port)),
    [8443, 9000, 9050, 9100],
  );
  assert.equal(parseNetworkAllowList('10.0.0.0/8').coversPort(1), true);
  assert.equal(parseNetworkAllowList('').coversPort(443), false);
});

test('a list of trusted proxies accepts networks and single addresses of both families', () => {
  const proxies = parseCidrList('10.0.0.0/8, 192.168.1.1, fd00::/8, ::1');
  const addresses = ['10.1.1.1', '::ffff:10.1.1.1', '192.168.1.1', 'fd01::1', '::1'];
  const others = ['11.0.0.1', '192.168.1.2', 'fe80::1', '::2', '', 'proxy', '10.1', '10.1.1.1:80'];
  assert.deepEqual([...addresses, ...others].filter(proxies.contains), addresses);
  assert.equal(parseCidrList('').contains('10.0.0.1'), false);
});

test('a list of trusted proxies rejects ports', () => {
  assert.throws(() => parseCidrList('10.0.0.0/8:80'), /^RangeError: "10\.0\.0\.0\/8:80"/);
});

test('an IPv4 network holds exactly the addresses that share its prefix', () => {
  fc.assert(
    fc.property(
      fc.nat(0xffff_ffff),
      fc.nat(0xffff_ffff),
      fc.integer({ min: 0, max: 32 }),
      (seed, number, bits) => {
        const size = 2 ** (32 - bits);
        const first = seed - (seed % size);
        const list = parseCidrList(`${toIpv4(first)}/${bits}`);
        assert.equal(list.contains(toIpv4(number)), number >= first && number < first + size);
        assert.equal(list.contains(toIpv4(first + size - 1)), true);
      },
    ),
  );
});

const canonical: ReadonlyArray<readonly [given: string, expected: string]> = [
  ['192.0.2.7', '192.0.2.7/32'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1/128'],
  ['::/0', '::/0'],
  ['::1', '::1/128'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
];

for (const [given, expected] of canonical) {
  test(`the canonical text of ${given} is ${expected}`, () => {
    assert.equal(toCanonicalNetwork(given), expected);
    assert.equal(toCanonicalNetwork(expected), expected);
  });
}

for (const text of [
  '',
  'host',
  '10.0.0.1/8',
  '10.0.0.0/33',
  '::/129',
  '10.1',
  '::1%lo',
  '10.0.0.0/',
]) {
  test(`"${text}" is no network`, () => assert.throws(() => toCanonicalNetwork(text), RangeError));
}

function toIpv4(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}

const loopbackCases: [list: string, address: string, port: number, isNamed: boolean][] = [
  ['127.0.0.1/32:8081', '127.0.0.1', 8081, true],
  ['127.0.0.0/8:8081', '127.9.9.9', 8081, true],
  ['127.0.0.1:8000-8100', '::ffff:127.0.0.1', 8081, true],
  ['[::1]/128:8081', '::1', 8081, true],
  ['[::1]:8081', '0:0:0:0:0:0:0:1', 8081, true],
  ['[::ffff:127.0.0.1]:8081', '127.0.0.1', 8081, true],
  ['127.0.0.1/32:8081', '127.0.0.1', 8082, false],
  ['127.0.0.1/32:8081', '127.0.0.2', 8081, false],
  ['127.0.0.1/32', '127.0.0.1', 8081, false],
  ['[::1]/128', '::1', 8081, false],
  ['0.0.0.0/0:8081', '127.0.0.1', 8081, false],
  ['126.0.0.0/7:8081', '127.0.0.1', 8081, false],
  ['[::]/0:8081', '::1', 8081, false],
  ['10.0.0.1/32:8081', '10.0.0.1', 8081, false],
  ['127.0.0.1/32:8081', 'localhost', 8081, false],
  ['127.0.0.1/32:8081', '127.1', 8081, false],
];

for (const [list, address, port, isNamed] of loopbackCases) {
  test(`"${list}" ${isNamed ? 'names' : 'does not name'} loopback ${address} port ${port}`, () => {
    assert.equal(parseNetworkAllowList(list).namesLoopback(address, port), isNamed);
  });
}
