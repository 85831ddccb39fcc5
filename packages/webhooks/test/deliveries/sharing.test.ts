import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { ReceiverReply } from '@probity/test-support';
import { DELIVERY_QUEUE } from '../../src/index.ts';
import { createSqlWebhookStorage } from '../../src/sql.ts';
import type { World } from '../world.ts';
import { createWorld, eventIdsOf } from '../world.ts';

/** A second process with a separate connection to the world's SQL database. */
function anotherProcess(world: World) {
  const database = world.opened.openAnother();
  assert.ok(database);
  return world.createProcess(database, createSqlWebhookStorage(database));
}

test('two workers on two connections to PostgreSQL share deliveries and attempt none twice', async (t) => {
  const world = await createWorld(t, { target: 'postgres' });
  const waiting: Array<(reply: ReceiverReply) => void> = [];
  let bothAtWork = false;
  const { receiver, webhook } = await world.subscribe(
    () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        // One worker starts at most 6 deliveries of a tenant at once: 12 need two workers.
        bothAtWork ||= waiting.length === 12;
        if (bothAtWork) for (const answer of waiting.splice(0)) answer({});
      }),
  );
  const other = anotherProcess(world);
  const events = await world.publish(100);
  // A worker that finds all jobs claimed by the other looks again.
  const work = async ({ deliverer }: Pick<World, 'deliverer'>) => {
    let total = 0;
    while (receiver.requests.length < events.length) total += await deliverer.runOnce();
    return total;
  };
  const done = await Promise.all([work(world), work(other)]);
  assert.equal(done[0] + done[1], 100);
  assert.ok(done[0] >= 6 && done[1] >= 6, `${done}`);
  assert.deepEqual(eventIdsOf(receiver).sort(), events.map(({ id }) => id).sort());
  const deliveries = await world.deliveriesOf(webhook.id);
  assert.ok(
    deliveries.every(({ status, attempts }) => status === 'delivered' && attempts.length === 1),
  );
});

test('two workers on PostgreSQL disable a failing webhook once and leave nothing in the queue', async (t) => {
  const world = await createWorld(t, { target: 'postgres' });
  const { receiver, webhook } = await world.subscribe(() => ({ status: 500 }));
  const other = anotherProcess(world);
  await world.publish(30);
  for (let second = 0; second <= 40; second += 1) {
    await Promise.all([world.deliverer.runOnce(), other.deliverer.runOnce()]);
    await world.clock.advance(1_000);
  }
  const attempts = receiver.requests.length;
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, false);
  const deliveries = await world.deliveriesOf(webhook.id);
  const count = (wanted: string) => deliveries.filter(({ status }) => status === wanted).length;
  assert.ok(count('failed') >= 1);
  assert.equal(count('failed') + count('held'), 30);
  assert.equal(await world.database.kernel(world.database.reader).countJobs(DELIVERY_QUEUE), 0);
  assert.ok(attempts <= 150, `${attempts}`);
  const disabled = world.lines.filter((line) => line.includes('a webhook was disabled'));
  assert.equal(disabled.length, 1);
});

test('a webhook turned off during a fan-out on PostgreSQL has no pending deliveries left', async (t) => {
  const world = await createWorld(t, { target: 'postgres' });
  const { webhook } = await world.subscribe();
  const other = anotherProcess(world);
  const event = await world.emit();
  const subscriber = world.subscriber;
  let turningOff: Promise<unknown> = Promise.resolve();
  await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await subscriber.receive(event, tx);
    let isOff = false;
    turningOff = other.webhooks.update(world.context, webhook.id, { active: false }).then(() => {
      isOff = true;
    });
    while (!isOff && !(await isAnybodyWaiting(world))) await new Promise(setImmediate);
    assert.equal(isOff, false, 'it waits for the fan-out');
  });
  await turningOff;
  assert.deepEqual(
    (await world.deliveriesOf(webhook.id)).map(({ status }) => status),
    ['held'],
  );
  await world.withdrawals.runOnce();
  assert.equal(await world.database.kernel(world.database.reader).countJobs(DELIVERY_QUEUE), 0);
});

/** Whether a statement on the world's PostgreSQL database waits for a lock. */
async function isAnybodyWaiting({ opened }: World): Promise<boolean> {
  assert.equal(opened.kind, 'sql');
  const { rows } = await opened.database.reader.execute(
    `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  );
  return rows.length > 0;
}
