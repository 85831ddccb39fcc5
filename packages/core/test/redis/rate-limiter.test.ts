import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireRedis, createTestClock, redisMissing } from '@probity/test-support';
import { Redis } from 'ioredis';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logger.ts';
import type { RateLimit, RateLimiter } from '../../src/rate-limit.ts';
import { createMemoryRateLimiter } from '../../src/rate-limit.ts';
import { createRedisRateLimiter, type RedisScripting } from '../../src/redis/rate-limiter.ts';

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

describe('the rate limiter on Redis', () => {
  it('allows the limit over all instances together, and no more', onRedis, async (t) => {
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

  it('counts keys and limits apart', onRedis, async (t) => {
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
      const [limiter] = await instances(t, 1);
      const limit: RateLimit = { requests: 2, windowSeconds: 1 };
      const key = newKey();
      await limiter?.consume(key, limit);
      await limiter?.consume(key, limit);
      const refused = await limiter?.consume(key, limit);
      assert.equal(refused?.allowed, false);
      const waitMs = refused?.retryAfterMs ?? 0;
      assert.ok(waitMs > 0 && waitMs <= 1_000, String(waitMs));
      assert.equal(refused?.resetAfterMs, waitMs);
      // The window runs on the clock of a real Redis, which cannot be turned.
      await delay(waitMs + 5);
      assert.equal((await limiter?.consume(key, limit))?.allowed, true);
    },
  );

  it('lets the fallback count while Redis does not answer, and says so once', async () => {
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
});
