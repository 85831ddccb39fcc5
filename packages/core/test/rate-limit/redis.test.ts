import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireRedis, createTestClock, redisMissing, until } from '@probity/test-support';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import type { RateLimit } from '../../src/contract/rate-limits.ts';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { RateLimitDecision, RateLimiter } from '../../src/rate-limit/rate-limit.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit/rate-limit.ts';
import type { RedisScripting } from '../../src/rate-limit/redis.ts';
import { createRedisRateLimiter } from '../../src/rate-limit/redis.ts';

const ids = createIds();
/** Left out by name where there is no Redis; never in CI. */
const onRedis = { skip: redisMissing() };

/** A name that no other test counts under. */
function newKey(): string {
  return ids.next('key');
}

function limiterOn(client: RedisScripting): RateLimiter {
  return createRedisRateLimiter({
    client,
    fallback: createMemoryRateLimiter(),
    logger: silentLogger,
    newEntryId: () => ids.next('req'),
  });
}

async function instances(t: TestContext, count: number): Promise<RateLimiter[]> {
  const { url } = await acquireRedis();
  return Array.from({ length: count }, () => {
    const client = new Redis(url);
    t.after(() => client.disconnect());
    return limiterOn(client);
  });
}

/** The script's question for the time, which a test answers in place of Redis. */
const ASKS_TIME = "redis.call('TIME')";

/** Instances whose scripts run on the real Redis by a clock that the test turns. */
async function turnedInstances(t: TestContext, now: { us: number }): Promise<RateLimiter[]> {
  const { url } = await acquireRedis();
  return [0, 1].map(() => {
    const client = new Redis(url);
    t.after(() => client.disconnect());
    return limiterOn({
      eval(script, keyCount, ...args) {
        assert.ok(script.includes(ASKS_TIME));
        const seconds = Math.floor(now.us / 1_000_000);
        const turned = script.replace(ASKS_TIME, '{ARGV[4], ARGV[5]}');
        return client.eval(turned, keyCount, ...args, `${seconds}`, `${now.us % 1_000_000}`);
      },
    });
  });
}

/** Makes two requests of a window of one second, and a third that is refused. */
async function fillWindow(limiter: RateLimiter, limit: RateLimit) {
  for (;;) {
    const key = newKey();
    const startedAt = performance.now();
    await limiter.consume(key, limit);
    await limiter.consume(key, limit);
    const refused = await limiter.consume(key, limit);
    if (!refused.allowed) return { key, refused };
    // On a busy machine the first of them may have left the window by now: then all begins anew.
    assert.ok(performance.now() - startedAt > 990, 'a third was let through');
  }
}

const START_US = 1_800_000_000_123_456;

describe('the rate limiter on Redis', () => {
  it(
    'decides over two instances as a list of all allowed requests would, whatever the arrivals',
    onRedis,
    async (t) => {
      const now = { us: START_US };
      const limiters = await turnedInstances(t, now);
      const limits = fc.record({
        requests: fc.integer({ min: 1, max: 12 }),
        windowSeconds: fc.integer({ min: 30, max: 60 }),
      });
      const gapUs = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 15_000_000 }));
      const arrivals = fc.array(fc.record({ gapUs, instance: fc.nat(1) }), { maxLength: 60 });
      const property = fc.asyncProperty(limits, arrivals, async (limit, schedule) => {
        const key = newKey();
        const windowUs = limit.windowSeconds * 1_000_000;
        const allowed: number[] = [];
        const counted = () => allowed.filter((time) => time > now.us - windowUs);
        for (const { gapUs: gap, instance } of schedule) {
          now.us += gap;
          const isFree = counted().length < limit.requests;
          const decision = (await limiters[instance]?.consume(key, limit)) as RateLimitDecision;
          assert.equal(decision.allowed, isFree);
          if (isFree) allowed.push(now.us);
          assert.equal(decision.remaining, limit.requests - counted().length);
          const resetAfterMs = ((counted()[0] as number) + windowUs - now.us) / 1_000;
          assert.equal(decision.resetAfterMs, resetAfterMs);
        }
      });
      await fc.assert(property, { numRuns: 60 });
    },
  );

  it(
    'never refuses a steady rate at the limit, whichever instance it meets',
    onRedis,
    async (t) => {
      const now = { us: START_US };
      const limiters = await turnedInstances(t, now);
      const limit: RateLimit = { requests: 100, windowSeconds: 60 };
      const key = newKey();
      for (let index = 0; index < 3 * limit.requests; index += 1) {
        now.us = START_US + index * 600_000;
        const decision = await limiters[index % 7 ? 0 : 1]?.consume(key, limit);
        assert.ok(decision?.allowed, `request ${index}`);
      }
    },
  );

  it('the Redis rate limiter enforces one limit over all instances', onRedis, async (t) => {
    const limiters = await instances(t, 3);
    const limit: RateLimit = { requests: 50, windowSeconds: 60 };
    const key = newKey();
    const decisions = await Promise.all(
      Array.from({ length: 150 }, (_, index) => limiters[index % 3]?.consume(key, limit)),
    );
    assert.equal(decisions.filter((decision) => decision?.allowed).length, 50);
    const remaining = decisions.map((decision) => decision?.remaining ?? -1);
    assert.equal(Math.min(...remaining), 0);
    assert.equal(Math.max(...remaining), 49);
  });

  it('the Redis rate limiter counts keys and limits separately', onRedis, async (t) => {
    const [limiter] = await instances(t, 1);
    const one: RateLimit = { requests: 1, windowSeconds: 60 };
    const key = newKey();
    assert.equal((await limiter?.consume(key, one))?.allowed, true);
    assert.equal((await limiter?.consume(key, one))?.allowed, false);
    assert.equal((await limiter?.consume(newKey(), one))?.allowed, true);
    assert.equal((await limiter?.consume(key, { requests: 2, windowSeconds: 60 }))?.allowed, true);
  });

  it(
    'frees a place when the oldest request leaves the window, on the clock of Redis',
    onRedis,
    async (t) => {
      const [limiter] = (await instances(t, 1)) as [RateLimiter];
      const limit: RateLimit = { requests: 2, windowSeconds: 1 };
      const { key, refused } = await fillWindow(limiter, limit);
      const waitMs = refused.retryAfterMs;
      assert.ok(waitMs > 0 && waitMs <= 1_000, String(waitMs));
      assert.equal(refused.resetAfterMs, waitMs);
      // The window runs on the clock of a real Redis, which cannot be turned.
      await delay(waitMs);
      await until(async () => (await limiter.consume(key, limit)).allowed, 'a place is free');
    },
  );

  it('the fallback limiter counts while Redis does not answer, logged once', async () => {
    const messages: string[] = [];
    const note = (message: string) => void messages.push(message);
    const logger = { ...silentLogger, info: note, warn: note };
    let isDown = true;
    let calls = 0;
    const clock = createTestClock();
    const limiter = createRedisRateLimiter({
      client: {
        async eval() {
          calls += 1;
          if (isDown) throw new Error('connection refused');
          return [1, 1, '60000000'];
        },
      },
      fallback: createMemoryRateLimiter(clock),
      logger,
      clock,
      newEntryId: () => ids.next('req'),
    });
    const limit: RateLimit = { requests: 2, windowSeconds: 60 };
    const allowed: boolean[] = [];
    for (let index = 0; index < 3; index += 1) {
      allowed.push((await limiter.consume('key', limit)).allowed);
    }
    assert.deepEqual(allowed, [true, true, false]);
    assert.equal(calls, 1, 'a Redis that did not answer is left alone for a while');
    isDown = false;
    await clock.advance(1_001);
    await limiter.consume('key', limit);
    await limiter.consume('key', limit);
    assert.deepEqual(
      messages.map((message) => message.split(';')[0]),
      ['Redis does not answer', 'Redis answers again'],
    );
  });

  it('the Redis rate limiter never exceeds the limit while Redis fails, returns empty, and fails again', async () => {
    const clock = createTestClock();
    const limit: RateLimit = { requests: 10, windowSeconds: 60 };
    // A Redis with one key, which forgets it at each outage.
    let isDown = false;
    let counts = createMemoryRateLimiter(clock);
    const limiter = createRedisRateLimiter({
      client: {
        async eval() {
          if (isDown) throw new Error('connection refused');
          const { allowed, remaining, resetAfterMs } = await counts.consume('key', limit);
          return [Number(allowed), limit.requests - remaining, String(resetAfterMs * 1_000)];
        },
      },
      fallback: createMemoryRateLimiter(clock),
      logger: silentLogger,
      clock,
      newEntryId: () => ids.next('req'),
    });
    const allowedAt: number[] = [];
    for (let step = 0; step < 600; step += 1) {
      if (step % 37 === 0) {
        isDown = !isDown;
        counts = createMemoryRateLimiter(clock);
      }
      const { allowed } = await limiter.consume('key', limit);
      if (allowed) allowedAt.push(clock.monotonicMs());
      await clock.advance(1_000);
    }
    for (const start of allowedAt) {
      const inside = allowedAt.filter((time) => time >= start && time < start + 60_000);
      assert.ok(inside.length <= limit.requests, `${inside.length} from ${start} ms on`);
    }
    // Refused requests that Redis had counted cost some of ten minutes' hundred, but not most.
    assert.ok(allowedAt.length >= 50, `${allowedAt.length}`);
  });
});
