import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { createSqlWebhookStorage } from '../../src/sql.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

/** Times of the requests in milliseconds since the start of the world, and the webhook. */
async function subscribe(world: World, rateLimit: number | null, status = 200) {
  const startMs = world.clock.now().getTime();
  const atMs: number[] = [];
  const { webhook } = await world.subscribe(() => {
    atMs.push(world.clock.now().getTime() - startMs);
    return { status };
  });
  await world.webhooks.update(world.context, webhook.id, { rateLimit });
  return { atMs, webhook };
}

/** The most requests within any second. */
function mostPerSecond(atMs: readonly number[]): number {
  const counts = atMs.map((from) => atMs.filter((ms) => ms >= from && ms < from + 1_000).length);
  return Math.max(...counts);
}

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: a webhook gets no more requests within a second than its limit, and others all of theirs`, async (t) => {
    const world = await createWorld(t, { target });
    const limited = await subscribe(world, 3);
    const free = await subscribe(world, null);
    await world.publish(12);
    await world.deliverer.runOnce();
    assert.deepEqual([limited.atMs.length, free.atMs.length], [3, 12]);
    const pending = (await world.deliveriesOf(limited.webhook.id)).filter(
      ({ status, attemptCount, attempts }) =>
        status === 'pending' && attemptCount === 0 && attempts.length === 0,
    );
    assert.equal(pending.length, 9, 'a delivery that waits counts no attempt');
    for (let step = 0; step < 80; step += 1) {
      await world.clock.advance(50);
      await world.deliverer.runOnce();
    }
    assert.equal(limited.atMs.length, 12);
    assert.equal(mostPerSecond(limited.atMs), 3);
    assert.equal(limited.atMs.at(-1), 3_300);
    const after = await world.deliveriesOf(limited.webhook.id);
    assert.ok(
      after.every(({ status, attempts }) => status === 'delivered' && attempts.length === 1),
    );
  });

  test(`${target}: a limit that is removed lets everything go that waited`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhook, atMs } = await subscribe(world, 1);
    await world.publish(5);
    await world.deliverer.runOnce();
    assert.equal(atMs.length, 1);
    await world.webhooks.update(world.context, webhook.id, { rateLimit: null });
    await world.deliverer.runOnce();
    assert.equal(atMs.length, 5);
  });

  test(`${target}: a deleted webhook leaves no limit behind`, async (t) => {
    const world = await createWorld(t, { target });
    const { webhook } = await subscribe(world, 1);
    await world.publish(2);
    await world.deliverer.runOnce();
    const reads = world.database.kernel(world.database.reader);
    assert.notEqual(await reads.nextDueAt('webhooks.deliver', world.clock.now()), null);
    await world.webhooks.remove(world.context, webhook.id);
    await world.withdrawals.runOnce();
    assert.equal(await reads.nextDueAt('webhooks.deliver', world.clock.now()), null);
  });
}

test('retries count toward the limit as first attempts do', async (t) => {
  const world = await createWorld(t);
  const { atMs } = await subscribe(world, 2, 500);
  await world.publish(4);
  for (let step = 0; step < 300; step += 1) {
    await world.deliverer.runOnce();
    await world.clock.advance(50);
  }
  assert.ok(atMs.length > 8, `${atMs.length}`);
  assert.equal(mostPerSecond(atMs), 2);
});

test('two processes on PostgreSQL keep one limit together', async (t) => {
  const world = await createWorld(t, { target: 'postgres' });
  const { atMs } = await subscribe(world, 10);
  const database = world.opened.openAnother();
  assert.ok(database);
  const other = world.createProcess(database, createSqlWebhookStorage(database));
  await world.publish(40);
  for (let step = 0; step < 45; step += 1) {
    await Promise.all([world.deliverer.runOnce(), other.deliverer.runOnce()]);
    await world.clock.advance(100);
  }
  assert.equal(atMs.length, 40);
  assert.equal(mostPerSecond(atMs), 10);
});
