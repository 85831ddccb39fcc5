import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createGatewayLimiter } from '../../src/limits/gateway-limiter.ts';

const LIMITS = {
  enabled: true,
  requests_per_second: 1_000,
  per_client: { requests_per_minute: 600, burst_size: 5 },
  rate_limit_exceeded_status: 429,
};

test('a client sends its burst at once and no more, and then as many as it gains', async () => {
  const clock = createTestClock();
  const limiter = createGatewayLimiter(clock, () => LIMITS);
  const taken = () => limiter.consume('a').allowed;
  assert.deepEqual(Array.from({ length: 6 }, taken), [true, true, true, true, true, false]);
  assert.equal(limiter.consume('a').retryAfterMs, 100);
  await clock.advance(99);
  assert.equal(taken(), false);
  await clock.advance(1);
  assert.deepEqual([taken(), taken()], [true, false]);
  await clock.advance(60_000);
  assert.deepEqual(Array.from({ length: 6 }, taken), [true, true, true, true, true, false]);
});

test('clients do not share a bucket', () => {
  const limiter = createGatewayLimiter(createTestClock(), () => LIMITS);
  for (let at = 0; at < 5; at++) limiter.consume('a');
  assert.equal(limiter.consume('a').allowed, false);
  assert.equal(limiter.consume('b').allowed, true);
});

test('all clients together have the requests of one second, and a refused request takes none', async () => {
  const clock = createTestClock();
  const limits = { ...LIMITS, requests_per_second: 3 };
  const limiter = createGatewayLimiter(clock, () => limits);
  const allowed = ['a', 'b', 'c', 'd'].map((client) => limiter.consume(client).allowed);
  assert.deepEqual(allowed, [true, true, true, false]);
  await clock.advance(334);
  assert.equal(limiter.consume('d').allowed, true);
  assert.equal(limiter.consume('d').remaining, 0);
});

test('new limits hold from the next request on', () => {
  let limits = LIMITS;
  const limiter = createGatewayLimiter(createTestClock(), () => limits);
  for (let at = 0; at < 3; at++) limiter.consume('a');
  limits = { ...LIMITS, per_client: { requests_per_minute: 600, burst_size: 1 } };
  assert.deepEqual([limiter.consume('a').allowed, limiter.consume('a').allowed], [true, false]);
});
