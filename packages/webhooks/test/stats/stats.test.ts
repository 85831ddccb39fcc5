import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { insertWebhook } from '../../src/fixtures.ts';
import { createWebhookCapability } from '../../src/koa.ts';
import { hourOf, mergeCounts } from '../../src/stats/counts.ts';
import { bucketOf, quantileOf } from '../../src/stats/histogram.ts';
import { statsSince, toStats } from '../../src/stats/stats.ts';
import { serve } from '../api.ts';
import { createWorld, targets } from '../world.ts';

const HOUR_MS = 3_600_000;

for (const { name } of sampleTargets(targets)) {
  test(`${name}: GET /webhooks/{id}/stats counts attempts by hour and over 24 hours and 7 days`, async (t) => {
    const world = await createWorld(t, { target: name });
    const call = await serve(t, world);
    let isSlow = false;
    const { receiver, webhook } = await world.subscribe(async () => {
      if (isSlow) await world.clock.advance(1_000);
      return { status: 500 };
    });
    const read = async () => (await call('GET', `/webhooks/${webhook.id}/stats`)).body.data;
    const empty = { attempts: 0, succeeded: 0, successRate: null };
    const durations = { p50DurationMs: null, p95DurationMs: null };
    const none = await read();
    assert.equal(none.hours.length, 168);
    for (const each of [none.last24Hours, none.last7Days, none.hours[0]]) {
      assert.deepEqual(each, { since: each.since, ...empty, ...durations });
    }
    await world.publish();
    await world.passSeconds(1);
    receiver.respondWith(() => ({}));
    await world.passSeconds(2);
    const hour = new Date(Math.floor(world.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    const { since, attempts, succeeded, successRate } = (await read()).hours.at(-1);
    assert.deepEqual([since, attempts, succeeded], [hour.toISOString(), 3, 1]);
    assert.equal(successRate, 1 / 3);
    await world.clock.advance(24 * HOUR_MS);
    isSlow = true;
    receiver.respondWith(async () => {
      await world.clock.advance(1_000);
      return {};
    });
    await world.publish(3);
    await world.passSeconds(0);
    await world.deliveries.sendTest(world.context, webhook.id);
    await world.passSeconds(0);
    const { last24Hours, last7Days, hours } = await read();
    assert.deepEqual([last24Hours.attempts, last24Hours.successRate], [3, 1]);
    assert.deepEqual([last7Days.attempts, last7Days.succeeded], [6, 4]);
    assert.equal(last7Days.successRate, 4 / 6);
    for (const estimate of [last24Hours.p50DurationMs, last24Hours.p95DurationMs]) {
      assert.ok(estimate >= 850, `${estimate}`);
    }
    assert.ok(last7Days.p50DurationMs <= last7Days.p95DurationMs);
    assert.equal(new Date(last24Hours.since).getTime(), hour.getTime() + HOUR_MS);
    const counted = hours.filter((each: { attempts: number }) => each.attempts > 0);
    assert.deepEqual(
      counted.map((each: { attempts: number }) => each.attempts),
      [3, 3],
    );
    await world.clock.advance(7 * 24 * HOUR_MS);
    assert.equal((await read()).last7Days.attempts, 0);

    const { runtime, storage, dialer, allow } = world;
    const capability = createWebhookCapability(runtime, { storage, dialer, targets: { allow } });
    const rule = capability.retention?.find((each) => each.name === 'webhook_attempt_counts');
    assert.equal(rule?.olderThanMs, 8 * 24 * HOUR_MS);
    let removed = 0;
    for (let last = 1; last > 0; removed += last) {
      last = (await rule?.deleteBatch(world.clock.now(), 1)) ?? 0;
    }
    assert.ok(removed >= 2);
    assert.deepEqual(await storage.listAttemptCounts(webhook.id, new Date(0)), []);
  });
}

test('statistics read no more rows than hours and buckets, however many attempts there were', async (t) => {
  const world = await createWorld(t, { target: 'sqlite' });
  const call = await serve(t, world);
  const { organizationId, storage } = world;
  const webhook = await insertWebhook(storage, organizationId);
  const now = Math.floor(world.clock.now().getTime() / HOUR_MS) * HOUR_MS;
  const counts = Array.from({ length: 168 * 61 }, (_, index) => ({
    webhookId: webhook.id,
    hour: new Date(now - (index % 168) * HOUR_MS),
    bucket: Math.floor(index / 168),
    attempts: 100,
    succeeded: 99,
  }));
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.addAttemptCounts(mergeCounts(counts)));
  const { body } = await call('GET', `/webhooks/${webhook.id}/stats`);
  const { attempts, successRate } = body.data.last7Days;
  assert.deepEqual([attempts, successRate], [168 * 61 * 100, 0.99]);
});

test('statistics of a webhook are for every role of its organization', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { webhook } = await world.subscribe();
  const statusOf = async (token: string) =>
    (await call('GET', `/webhooks/${webhook.id}/stats`, undefined, token)).status;
  assert.deepEqual([await statusOf('viewer'), await statusOf('stranger')], [200, 404]);
});

test('a quantile of durations is at most a fifth off', () => {
  for (const base of [1, 3, 12, 40, 250, 999, 30_000]) {
    const sorted = Array.from({ length: 200 }, (_, index) => base * (1 + index / 100));
    const counts = new Map<number, number>();
    for (const each of sorted) counts.set(bucketOf(each), (counts.get(bucketOf(each)) ?? 0) + 1);
    for (const quantile of [0.5, 0.95]) {
      const exact = sorted[Math.ceil(quantile * 200) - 1] ?? 0;
      const estimate = quantileOf(counts, quantile) ?? 0;
      assert.ok(Math.abs(estimate - exact) <= Math.max(1, exact / 5), `${estimate}, not ${exact}`);
    }
  }
  assert.equal(quantileOf(new Map(), 0.5), null);
  assert.deepEqual([bucketOf(0), bucketOf(1), bucketOf(2), bucketOf(30_000)], [0, 0, 4, 60]);
});

test('statistics leave out the hour that a process with a faster clock has begun', () => {
  const now = new Date('2026-03-29T01:59:59.999Z');
  const hours = [-168, -167, -24, -23, 0, 1].map((hour) => ({
    webhookId: 'whk_1',
    hour: new Date(hourOf(now).getTime() + hour * HOUR_MS),
    bucket: 0,
    attempts: 1,
    succeeded: 1,
  }));
  const stats = toStats(
    hours.filter(({ hour }) => hour >= statsSince(now)),
    now,
  );
  const counted = stats.hours.reduce((sum, { attempts }) => sum + attempts, 0);
  assert.deepEqual([stats.last24Hours.attempts, stats.last7Days.attempts, counted], [2, 4, 4]);
});
