import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { Lookup } from '../../src/outbound/lookup.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { checkOutboundTarget } from '../../src/outbound/target.ts';

const loopbackOn8443 = parseNetworkAllowList('127.0.0.1/32:8443,[::1]/128:8443');

const cases: [promise: string, url: string, addresses: string[], ok: boolean][] = [
  ['a public name', 'https://a.example/', ['8.8.8.8', '2606:4700::1111'], true],
  ['a private name', 'https://a.example/', ['10.0.0.1'], false],
  ['a name with one private address', 'https://a.example/', ['8.8.8.8', '10.0.0.1'], false],
  ['a name with a mapped loopback', 'https://a.example/', ['::ffff:127.0.0.1'], false],
  ['a name with an unreadable address', 'https://a.example/', ['8.8.8.8', 'bogus'], false],
  ['a name that does not resolve', 'https://a.example/', [], true],
  ['an allow-listed name', 'https://a.example:8443/', ['127.0.0.1', '::1'], true],
  [
    'a name that is allow-listed or public',
    'https://a.example:8443/',
    ['127.0.0.1', '8.8.8.8'],
    true,
  ],
  ['an allow-listed address on another port', 'https://a.example/', ['127.0.0.1'], false],
  ['localhost at an allow-listed port', 'https://localhost:8443/', ['127.0.0.1', '::1'], true],
  ['localhost at another port', 'https://localhost:8444/', ['127.0.0.1', '::1'], false],
  [
    'localhost with one other address',
    'https://localhost:8443/',
    ['127.0.0.1', '127.0.0.2'],
    false,
  ],
  ['plain http to localhost', 'http://localhost:8443/', ['127.0.0.1', '::1'], true],
  ['plain http to localhost that is elsewhere', 'http://localhost:8443/', ['8.8.8.8'], false],
  [
    'plain http to localhost that is also elsewhere',
    'http://localhost:8443/',
    ['::1', '10.0.0.1'],
    false,
  ],
  ['plain http to localhost that does not resolve', 'http://localhost:8443/', [], false],
  ['plain http to a name for loopback', 'http://a.example:8443/', ['127.0.0.1'], false],
  ['an internal name with a public address', 'https://db.internal:8443/', ['8.8.8.8'], false],
  ['an internal name that does not resolve', 'https://db.internal:8443/', [], false],
];

for (const [promise, url, addresses, ok] of cases) {
  test(`${promise} is ${ok ? 'accepted' : 'refused'}`, async () => {
    const check = await checkOutboundTarget(url, {
      allow: loopbackOn8443,
      lookup: async () => addresses,
    });
    assert.equal(check.ok, ok);
  });
}

test('a literal address and a refused URL are checked without DNS', async () => {
  const asked: string[] = [];
  const lookup: Lookup = async (name) => {
    asked.push(name);
    return ['8.8.8.8'];
  };
  const options = { allow: loopbackOn8443, lookup };
  assert.equal((await checkOutboundTarget('https://8.8.8.8/', options)).ok, true);
  assert.equal((await checkOutboundTarget('https://10.0.0.1/', options)).ok, false);
  assert.equal((await checkOutboundTarget('http://a.example/', options)).ok, false);
  assert.equal((await checkOutboundTarget('https://localhost/', options)).ok, false);
  assert.deepEqual(asked, []);
});

test('a name whose lookup fails is accepted', async () => {
  const lookup = () => Promise.reject(new Error('ENOTFOUND'));
  assert.equal(
    (await checkOutboundTarget('https://a.example/', { allow: loopbackOn8443, lookup })).ok,
    true,
  );
});

test('a name whose lookup hangs is accepted after the time limit', async () => {
  const clock = createTestClock();
  const lookup = () => new Promise<never>(() => {});
  const check = checkOutboundTarget('https://a.example/', {
    allow: loopbackOn8443,
    lookup,
    clock,
    timeoutMs: 100,
  });
  await clock.advance(100);
  assert.equal((await check).ok, true);
  assert.equal(clock.pendingTimers, 0);
});
