import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { connect } from '../grpc/client.ts';
import type { ProxyWorld } from '../proxy/proxy-world.ts';
import { startProxy } from '../proxy/proxy-world.ts';

const BURST = 3;
/** One request in ten seconds. */
const TEXT = `rate_limiting: {per_client: {requests_per_minute: 6, burst_size: ${BURST}}}\n`;
const START = Date.parse('2026-03-01T12:00:00Z');

const CALL = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] };
const PATHS: readonly (readonly [path: string, body: object])[] = [
  ['/api/v1/governance/scan', { response: 'Hello.' }],
  ['/v1/chat/completions', CALL],
  ['/v1/messages', { ...CALL, max_tokens: 10 }],
  ['/v1/embeddings', { model: 'm', input: 'Hello.' }],
];

function limitsOf(headers: Headers) {
  const names = ['limit', 'remaining', 'reset'];
  return [...names.map((name) => headers.get(`x-ratelimit-${name}`)), headers.get('retry-after')];
}

/** A gateway of its own for each path, with full buckets. */
async function startLimited(t: Parameters<typeof startProxy>[0]): Promise<ProxyWorld> {
  return startProxy(t, { text: TEXT, clock: createTestClock(START) });
}

for (const [path, body] of PATHS) {
  test(`the limit headers of ${path} agree with each other, refused or not`, async (t) => {
    const { post } = await startLimited(t);
    const seconds = START / 1_000;
    for (let left = BURST - 1; left >= 0; left--) {
      const { headers } = await post(path, body);
      const fullAt = seconds + (BURST - left) * 10;
      assert.deepEqual(limitsOf(headers), [String(BURST), String(left), String(fullAt), null]);
    }
    const refused = await post(path, body);
    assert.equal(refused.status, 429);
    assert.deepEqual(limitsOf(refused.headers), [String(BURST), '0', String(seconds + 30), '10']);
    assert.match(refused.text, /More than 3 requests in 30 seconds; try again in 10 s/);
  });
}

test('gRPC tells a refusal by the same values', async (t) => {
  const { world } = await startLimited(t);
  const client = connect(t, world);
  for (let count = 0; count < BURST; count++) await client.scan({ response: 'Hello.' });
  await assert.rejects(client.scan({ response: 'Hello.' }), (error: never) => {
    const { metadata } = error as { metadata: { get(name: string): string[] } };
    const trailers = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
    assert.deepEqual(
      [...trailers, 'retry-after'].map((name) => metadata.get(name)[0]),
      ['3', '0', String(START / 1_000 + 30), '10'],
    );
    return true;
  });
});

test('what is not limited has no limit headers', async (t) => {
  const { world } = await startLimited(t);
  for (const path of ['/health', '/ready']) {
    const { headers } = await world.call(path);
    assert.deepEqual(limitsOf(headers), [null, null, null, null]);
  }
});
