import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialResult } from '@probity/core';
import { retryAfterOf } from '@probity/core/internal';
import { nextDeliveryAt, RETRY_PROFILES } from '../../src/deliveries/retry.ts';
import { createWorld } from '../world.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;

function response(status: number, retryAfter?: string): DialResult {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const body = Buffer.alloc(0);
  return { kind: 'response', status, headers, body, truncated: false, durationMs: 7, address: '' };
}

const values: Array<[status: number, value: string | undefined, ms: number]> = [
  [429, '120', 120_000],
  [503, '120', 120_000],
  [500, '120', 0],
  [200, '120', 0],
  [429, undefined, 0],
  [429, '', 0],
  [429, '-5', 0],
  [429, '1.5', 0],
  [429, 'soon', 0],
  [429, '2027', 2_027_000],
  [503, 'Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
  [503, 'Thursday, 01-Jan-26 00:02:00 GMT', 120_000],
  [503, 'Thu Jan  1 00:02:00 2026', 120_000],
  [503, 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
  [503, 'Thu, 01 Foo 2026 00:02:00 GMT', 0],
];
for (const [status, value, ms] of values) {
  test(`a Retry-After of ${JSON.stringify(value)} with ${status} delays by ${ms} ms`, () => {
    assert.equal(retryAfterOf(response(status, value), NOW), ms);
  });
}

test('a Retry-After is followed between the schedule, an hour and the maximum age', () => {
  const { standard, resilient } = RETRY_PROFILES;
  const delayOf = (retryAfterMs: number, profile = standard, firstAt = NOW, failures = 1) => {
    const next = nextDeliveryAt(profile, failures, firstAt, NOW, retryAfterMs);
    return next && next.getTime() - NOW.getTime();
  };
  assert.equal(delayOf(0), 1_000);
  assert.equal(delayOf(500), 1_000, 'never earlier than the schedule');
  assert.equal(delayOf(60_000), 60_000);
  assert.equal(delayOf(2 * HOUR_MS), HOUR_MS, 'at most an hour');
  assert.equal(
    delayOf(60_000, { ...standard, maxRetryAfterMs: 30_000 } as typeof standard),
    30_000,
  );
  const old = new Date(NOW.getTime() - 72 * HOUR_MS + 10_000);
  assert.equal(delayOf(60_000, standard, old), 10_000, 'at the maximum age at the latest');
  assert.equal(delayOf(60_000, standard, new Date(old.getTime() - 10_000)), null);
  assert.equal(delayOf(60_000, standard, NOW, 5), null, 'the number of attempts is the same');
  assert.equal(delayOf(1_000, resilient as never, NOW, 4), 2 * HOUR_MS);
});

test('an endpoint that asks to wait is called no earlier, over HTTP', async (t) => {
  const world = await createWorld(t);
  const headers = { 'retry-after': '30' };
  const { receiver, webhook } = await world.subscribe(() => ({ status: 429, headers }));
  await world.publish();
  await world.passSeconds(29);
  assert.equal(receiver.requests.length, 1);
  const at = new Date(world.clock.now().getTime() + 1_000);
  assert.deepEqual((await world.deliveriesOf(webhook.id))[0]?.nextAttemptAt, at);
  await world.passSeconds(1);
  assert.equal(receiver.requests.length, 2);
  await world.passSeconds(120);
  assert.equal(receiver.requests.length, 5, 'and as often as the schedule says');
});

test('an endpoint that answers 410 Gone is disabled at once, with the reason', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 410 }));
  const [first, second] = await world.publish(2);
  await world.passSeconds(0);
  await world.passSeconds(20);
  assert.ok(receiver.requests.length <= 2);
  const off = await world.webhooks.get(world.context, webhook.id);
  assert.deepEqual(
    [off.active, off.disabledAt?.getTime()],
    [false, world.clock.now().getTime() - 20_000],
  );
  assert.match(off.disabledReason ?? '', /^1 attempt to deliver evt_\w+ failed.*answered 410\.$/);
  assert.ok([first?.id, second?.id].some((id) => off.disabledReason?.includes(id ?? '')));
});

test('a webhook disabled by 410 and turned on again leaves held deliveries, and counts from zero', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 410 }));
  await world.publish();
  await world.passSeconds(0);
  const on = await world.webhooks.update(world.context, webhook.id, { active: true });
  assert.deepEqual([on.active, on.disabledAt, on.disabledReason], [true, null, null]);
  receiver.respondWith(() => ({ status: 500 }));
  await world.publish();
  await world.passSeconds(14);
  const { active } = await world.webhooks.get(world.context, webhook.id);
  assert.equal(active, true, 'four failures of one delivery do not disable it');
  await world.webhooks.update(world.context, webhook.id, { active: false });
  await world.webhooks.update(world.context, webhook.id, { active: true });
  await world.withdrawals.runOnce();
  const requests = receiver.requests.length;
  await world.passSeconds(60);
  assert.equal(receiver.requests.length, requests);
  const statuses = (await world.deliveriesOf(webhook.id)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ['failed', 'held']);
});

test('a test that is answered 410 fails without a retry, and leaves the webhook on', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 410 }));
  await world.deliveries.sendTest(world.context, webhook.id);
  await world.passSeconds(20);
  assert.equal(receiver.requests.length, 1);
  assert.equal((await world.deliveriesOf(webhook.id))[0]?.status, 'failed');
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, true);
});
