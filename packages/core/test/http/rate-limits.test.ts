import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { DEFAULT_RATE_LIMITS } from '../../src/contract/rate-limits.ts';
import { addressSubject } from '../../src/http/address-subject.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { parseCidrList } from '../../src/outbound/networks.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limit.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, errorOf, sampleRouter } from './sample.ts';

function limited(requests: number) {
  const clock = createTestClock();
  const limits = { ...DEFAULT_RATE_LIMITS, general: { requests, windowSeconds: 60 } };
  const rateLimits = { limiter: createMemoryRateLimiter(clock), limits };
  return { clock, router: sampleRouter({ clock, rateLimits }) };
}

function headersOf({ headers }: Response): Record<string, string | null> {
  const names = [
    ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'],
    ...['ratelimit-policy', 'ratelimit'],
  ];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

test('rate-limit headers count down to a 429, and requests are allowed again after its Retry-After', async (t) => {
  const { clock, router } = limited(2);
  const url = await serveKoa(t, router);
  const ask = () => fetch(`${url}/things`, { headers: as('owner') });
  const resetAt = String(clock.now().getTime() / 1_000 + 60);
  const first = await ask();
  assert.deepEqual(headersOf(first), {
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': resetAt,
    'retry-after': null,
    'ratelimit-policy': '"general";q=2;w=60',
    ratelimit: '"general";r=1;t=60',
  });
  await first.arrayBuffer();
  await clock.advance(20_000);
  await clock.advance(500);
  const second = headersOf(await ask());
  assert.equal(second['x-ratelimit-remaining'], '0');
  assert.equal(second.ratelimit, '"general";r=0;t=40', 'rounded up');
  const refused = await ask();
  assert.equal(refused.status, 429);
  assert.deepEqual(headersOf(refused), {
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': resetAt,
    'retry-after': '40',
    'ratelimit-policy': '"general";q=2;w=60',
    ratelimit: '"general";r=0;t=40',
  });
  assert.equal((await errorOf(refused)).code, 'RATE_LIMIT_EXCEEDED');
  await clock.advance(40_000);
  assert.equal((await ask()).status, 200);
});

test('rate limits count keys separately, including requests that fail or are refused by role', async (t) => {
  const { router } = limited(2);
  const url = await serveKoa(t, router);
  const remove = (role: 'viewer' | 'owner') =>
    fetch(`${url}/things/1`, { method: 'DELETE', headers: as(role) });
  const statuses = [];
  for (const role of ['viewer', 'viewer', 'viewer', 'owner'] as const) {
    statuses.push((await remove(role)).status);
  }
  assert.deepEqual(statuses, [403, 403, 429, 204]);
});

test('a rate-limited request is refused before its body is read', async (t) => {
  const { router } = limited(1);
  const url = await serveKoa(t, router);
  const post = () => fetch(`${url}/things`, { method: 'POST', headers: asOwnerJson, body: '{' });
  assert.equal((await post()).status, 400);
  assert.equal((await post()).status, 429);
});

test('requests without a valid key, and public ones without a class, are not counted', async (t) => {
  const { router } = limited(1);
  const url = await serveKoa(t, router);
  for (let index = 0; index < 3; index += 1) {
    const open = await fetch(`${url}/open`);
    const { ratelimit, 'x-ratelimit-limit': limit } = headersOf(open);
    assert.deepEqual([open.status, limit, ratelimit], [200, null, null]);
    await open.arrayBuffer();
    assert.equal((await fetch(`${url}/things`)).status, 401);
  }
  assert.equal((await fetch(`${url}/things`, { headers: as('owner') })).status, 200);
});

/** A public endpoint that takes guesses, behind a proxy on this machine. */
function guessing(requests: number) {
  const clock = createTestClock();
  const limits = { ...DEFAULT_RATE_LIMITS, platform: { requests, windowSeconds: 60 } };
  const rateLimits = { limiter: createMemoryRateLimiter(clock), limits };
  const trustedProxies = parseCidrList('127.0.0.1/32');
  const guess = endpoint({
    method: 'POST',
    path: '/guess',
    operationId: 'guess',
    summary: 'Guess',
    tag: 'Things',
    permission: 'public',
    rateLimit: 'platform',
    responses: { 204: { description: 'Nothing' } },
    handler: async ({ reply }) => reply(204),
  });
  return {
    clock,
    router: sampleRouter({ clock, rateLimits, trustedProxies }, generalErrors, [guess]),
  };
}

test('a public endpoint of a class counts by client address, whatever credential is sent', async (t) => {
  const { clock, router } = guessing(2);
  const url = await serveKoa(t, router);
  const from = (forwarded: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/guess`, {
      method: 'POST',
      headers: { 'x-forwarded-for': forwarded, ...headers },
    });
  const statuses: number[] = [];
  for (const token of ['owner.org_1', 'viewer.org_1', 'admin.org_2']) {
    // What the client itself says of where it is from is further to the left, and not believed.
    const forwarded = `198.51.100.${statuses.length}, 192.0.2.1`;
    const answer = await from(forwarded, { authorization: `Bearer ${token}` });
    statuses.push(answer.status);
    assert.equal(answer.headers.get('ratelimit-policy'), '"platform";q=2;w=60');
  }
  assert.deepEqual(statuses, [204, 204, 429]);
  assert.equal((await from('192.0.2.2')).status, 204, 'another address');
  const refused = await from('192.0.2.1');
  assert.deepEqual(headersOf(refused), {
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(clock.now().getTime() / 1_000 + 60),
    'retry-after': '60',
    'ratelimit-policy': '"platform";q=2;w=60',
    ratelimit: '"platform";r=0;t=60',
  });
  await clock.advance(60_000);
  assert.equal((await from('192.0.2.1')).status, 204);
});

test('the hosts of an IPv6 network of 64 bits count together, and those of two networks apart', async (t) => {
  const { router } = guessing(1);
  const url = await serveKoa(t, router);
  const from = async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded };
    return (await fetch(`${url}/guess`, { method: 'POST', headers })).status;
  };
  assert.equal(await from('2001:db8:0:1::1'), 204);
  assert.equal(await from('2001:db8:0:1:ffff:ffff:ffff:ffff'), 429);
  assert.equal(await from('2001:DB8:0:1:0::2'), 429);
  assert.equal(await from('2001:db8:0:2::1'), 204);
});

test('all spellings of an IP address share one rate limit, and so do all invalid addresses', () => {
  const same = (...addresses: Array<string | null>) =>
    assert.equal(new Set(addresses.map(addressSubject)).size, 1, addresses.join());
  same('192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201');
  same('2001:db8::1', '2001:0db8:0:0::1', '2001:db8::192.0.2.1');
  same(null, '', 'unknown', '192.0.2.1:4711', '_hidden', 'fe80::1%eth0');
  const apart = ['192.0.2.1', '192.0.2.2', '2001:db8::', '2001:db8:0:1::', 'unknown', '::c000:201'];
  assert.equal(new Set(apart.map(addressSubject)).size, apart.length);
});
