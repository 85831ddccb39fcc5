import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createMemoryRateLimiter, DEFAULT_RATE_LIMITS } from '../../src/rate-limit.ts';
import { as, asOwnerJson, errorOf, sampleRouter, serveKoa } from './sample.ts';

function limited(requests: number) {
  const clock = createTestClock();
  const limits = { ...DEFAULT_RATE_LIMITS, general: { requests, windowSeconds: 60 } };
  const rateLimits = { limiter: createMemoryRateLimiter(clock), limits };
  return { clock, router: sampleRouter({ clock, rateLimits }) };
}

function headersOf({ headers }: Response): Record<string, string | null> {
  const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

test('answers count down, then 429 says when to come back, and then it works', async (t) => {
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
  });
  await first.arrayBuffer();
  await clock.advance(20_000);
  assert.equal(headersOf(await ask())['x-ratelimit-remaining'], '0');
  const refused = await ask();
  assert.equal(refused.status, 429);
  assert.deepEqual(headersOf(refused), {
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': resetAt,
    'retry-after': '40',
  });
  assert.equal((await errorOf(refused)).code, 'RATE_LIMIT_EXCEEDED');
  await clock.advance(40_000);
  assert.equal((await ask()).status, 200);
});

test('keys are counted apart; errors and refusals by role count too', async (t) => {
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

test('a refused request is refused before its body is looked at', async (t) => {
  const { router } = limited(1);
  const url = await serveKoa(t, router);
  const post = () => fetch(`${url}/things`, { method: 'POST', headers: asOwnerJson, body: '{' });
  assert.equal((await post()).status, 400);
  assert.equal((await post()).status, 429);
});

test('requests without a valid key and public endpoints count against nobody', async (t) => {
  const { router } = limited(1);
  const url = await serveKoa(t, router);
  for (let index = 0; index < 3; index += 1) {
    const open = await fetch(`${url}/open`);
    assert.deepEqual([open.status, open.headers.get('x-ratelimit-limit')], [200, null]);
    await open.arrayBuffer();
    assert.equal((await fetch(`${url}/things`)).status, 401);
  }
  assert.equal((await fetch(`${url}/things`, { headers: as('owner') })).status, 200);
});
