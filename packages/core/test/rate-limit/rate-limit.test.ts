import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import fc from 'fast-check';
import type { Clock } from '../../src/clock.ts';
import type { RateLimit } from '../../src/contract/rate-limits.ts';
import { DEFAULT_RATE_LIMITS } from '../../src/contract/rate-limits.ts';
import type { RateLimitDecision } from '../../src/rate-limit/rate-limit.ts';
import {
  createMemoryRateLimiter,
  parseRateLimits,
  rateLimitOf,
} from '../../src/rate-limit/rate-limit.ts';

/** A clock that is set by hand: the limiter needs no timers. */
function handClock(): Clock & { ms: number } {
  return {
    ...createTestClock(),
    ms: 0,
    monotonicMs() {
      return this.ms;
    },
  };
}

const limits = fc.record({
  requests: fc.integer({ min: 1, max: 40 }),
  windowSeconds: fc.integer({ min: 1, max: 5 }),
});
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_500 })), {
  maxLength: 200,
});

test('the rate limiter decides like a list of all allowed requests, for any arrivals', () => {
  fc.assert(
    fc.property(limits, gaps, (limit, arrivals) => {
      const clock = handClock();
      const limiter = createMemoryRateLimiter(clock);
      const windowMs = limit.windowSeconds * 1_000;
      const allowed: number[] = [];
      for (const gap of arrivals) {
        clock.ms += gap;
        const inWindow = allowed.filter((time) => time > clock.ms - windowMs);
        const decision = limiter.consume('key', limit) as RateLimitDecision;
        assert.equal(decision.allowed, inWindow.length < limit.requests);
        if (decision.allowed) allowed.push(clock.ms);
        const counted = allowed.filter((time) => time > clock.ms - windowMs);
        assert.equal(decision.remaining, limit.requests - counted.length);
        assert.equal(decision.resetAfterMs, (counted[0] as number) + windowMs - clock.ms);
        assert.equal(decision.retryAfterMs, decision.allowed ? 0 : decision.resetAfterMs);
      }
      for (const start of allowed) {
        const inside = allowed.filter((time) => time >= start && time < start + windowMs);
        assert.ok(inside.length <= limit.requests);
      }
    }),
  );
});

test('a steady rate at the limit is never refused', () => {
  for (const limit of [
    { requests: 8, windowSeconds: 1 },
    { requests: 100, windowSeconds: 60 },
  ]) {
    const clock = handClock();
    const limiter = createMemoryRateLimiter(clock);
    for (let index = 0; index < 3 * limit.requests; index += 1) {
      clock.ms = (index * limit.windowSeconds * 1_000) / limit.requests;
      assert.ok((limiter.consume('key', limit) as RateLimitDecision).allowed, `request ${index}`);
    }
  }
});

test('a rate-limited caller is allowed after the reported time', async () => {
  const clock = createTestClock();
  const limiter = createMemoryRateLimiter(clock);
  const limit: RateLimit = { requests: 2, windowSeconds: 10 };
  await limiter.consume('key', limit);
  await clock.advance(4_000);
  await limiter.consume('key', limit);
  const refused = await limiter.consume('key', limit);
  assert.deepEqual([refused.allowed, refused.retryAfterMs], [false, 6_000]);
  await clock.advance(refused.retryAfterMs - 1);
  assert.equal((await limiter.consume('key', limit)).allowed, false);
  await clock.advance(1);
  assert.equal((await limiter.consume('key', limit)).allowed, true);
});

test('rate limits are counted separately per key and per limit', async () => {
  const limiter = createMemoryRateLimiter(createTestClock());
  const once: RateLimit = { requests: 1, windowSeconds: 60 };
  assert.equal((await limiter.consume('a', once)).allowed, true);
  assert.equal((await limiter.consume('b', once)).allowed, true);
  assert.equal((await limiter.consume('a', once)).allowed, false);
  assert.equal((await limiter.consume('a', { requests: 2, windowSeconds: 60 })).allowed, true);
});

test('the rate limiter keeps only the most recently used keys', async () => {
  const limiter = createMemoryRateLimiter(createTestClock(), 2);
  const once: RateLimit = { requests: 1, windowSeconds: 60 };
  for (const key of ['a', 'b', 'c']) await limiter.consume(key, once);
  assert.equal((await limiter.consume('c', once)).allowed, false);
  assert.equal((await limiter.consume('a', once)).allowed, true);
});

test('a flood of addresses costs a bounded amount of memory', async () => {
  const remembered = 1_000;
  const limiter = createMemoryRateLimiter(createTestClock(), remembered);
  const limit: RateLimit = { requests: 2, windowSeconds: 60 };
  for (let index = 0; index < 20 * remembered; index += 1) {
    await limiter.consume(`address:${index}`, limit);
    // Who keeps calling is not forgotten for the sake of those who call once.
    if (index % 500 === 0) await limiter.consume('key', limit);
  }
  assert.equal((await limiter.consume('key', limit)).allowed, false);
  assert.equal((await limiter.consume('address:0', limit)).remaining, 1, 'forgotten');
});

test('rate-limit settings override the classes that they name and no others', () => {
  const limits = parseRateLimits(' platform=5/60, scim=30/1,');
  assert.deepEqual(limits.platform, { requests: 5, windowSeconds: 60 });
  assert.deepEqual(limits.scim, { requests: 30, windowSeconds: 1 });
  assert.deepEqual(limits.general, DEFAULT_RATE_LIMITS.general);
  assert.deepEqual(parseRateLimits(''), DEFAULT_RATE_LIMITS);
});

test("a plan's own limit holds until a setting replaces it for every plan, be it the same", () => {
  const evidenceOf = (text: string) =>
    (['free', 'professional', 'enterprise'] as const).map(
      (plan) => rateLimitOf(parseRateLimits(text), 'evidence', plan).requests,
    );
  assert.deepEqual(evidenceOf(''), [5_000, 5_000, 10_000]);
  assert.deepEqual(evidenceOf('general=5/60'), [5_000, 5_000, 10_000]);
  assert.deepEqual(evidenceOf('evidence=5000/3600'), [5_000, 5_000, 5_000]);
  assert.deepEqual(rateLimitOf(DEFAULT_RATE_LIMITS, 'general', 'enterprise'), {
    requests: 1_000,
    windowSeconds: 60,
  });
});

for (const bad of [
  'platform',
  'platform=0/60',
  'platform=5/0',
  'platform=-1/60',
  'platform=1.5/60',
  'unknown=1/1',
  'toString=1/1',
  'platform=5/60/2',
  '=1/1',
]) {
  test(`the setting ${bad} is refused by name`, () => {
    assert.throws(
      () => parseRateLimits(`general=1/1,${bad}`),
      (error: Error) => error.message.includes(`"${bad}"`) && error.message.includes('scim'),
    );
  });
}
