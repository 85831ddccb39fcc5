import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddress } from '../../src/http/client-address.ts';
import { parseCidrList } from '../../src/outbound/networks.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { sampleRouter } from './sample.ts';

const proxies = parseCidrList('10.0.0.0/8, 2001:db8:ffff::/48');

const cases: ReadonlyArray<
  readonly [string, string | undefined, string | undefined, string | null]
> = [
  ['the peer, without proxies', '192.0.2.7', undefined, '192.0.2.7'],
  ['the peer, whatever an untrusted one claims', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['what a trusted proxy saw', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  [
    'the nearest address that is no proxy, not what the client made up',
    '10.0.0.1',
    '1.2.3.4, 198.51.100.1, 10.0.0.2',
    '198.51.100.1',
  ],
  ['the first proxy, when all are', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['the proxy itself, when it tells nothing', '10.0.0.1', undefined, '10.0.0.1'],
  [
    'an IPv4 address in the words of a dual-stack socket',
    '::ffff:10.0.0.1',
    '::ffff:198.51.100.1',
    '198.51.100.1',
  ],
  ['an IPv6 client behind an IPv6 proxy', '2001:db8:ffff::1', '2001:db8::5', '2001:db8::5'],
  ['an address that came with its port', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['an IPv6 address with its port', '10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
  ['an IPv6 address in brackets', '10.0.0.1', '[2001:db8::5]', '2001:db8::5'],
  ['nothing, where the proxy has only a word for it', '10.0.0.1', '1.2.3.4, unknown', null],
  ['nothing, where a trusted hop before it had', '10.0.0.1', '<b>, 10.0.0.2', null],
  ['nothing, when the connection is gone', undefined, '198.51.100.1', null],
];

for (const [name, peer, forwarded, expected] of cases) {
  test(`the client's address is ${name}`, () => {
    const request = {
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage;
    assert.equal(clientAddress(request, proxies), expected);
  });
}

test('handlers receive the client address reported by trusted proxies', async (t) => {
  const ask = async (trusted: string) => {
    const url = await serveKoa(t, sampleRouter({ trustedProxies: parseCidrList(trusted) }));
    const headers = as('owner', { 'x-forwarded-for': '198.51.100.1' });
    return ((await (await fetch(`${url}/things`, { headers })).json()) as { address: string })
      .address;
  };
  assert.equal(await ask(''), '127.0.0.1');
  assert.equal(await ask('127.0.0.0/8'), '198.51.100.1');
});
