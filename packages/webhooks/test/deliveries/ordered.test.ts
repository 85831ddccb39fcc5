import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRecord } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { createSqlWebhookStorage } from '../../src/sql.ts';
import type { World, WorldOptions } from '../world.ts';
import { createWorld, eventIdsOf, targets } from '../world.ts';

/** Fails for good after two attempts, without disabling the webhook. */
const TWO_ATTEMPTS = {
  delaysMs: [5_000],
  maxAttempts: 2,
  disableAfterFailures: 3,
  maxAgeMs: 60_000,
};

/** A world with an ordered webhook, whose receiver fails for the events in `failing`. */
async function createOrderedWorld(t: Parameters<typeof createWorld>[0], options: WorldOptions) {
  const world = await createWorld(t, options);
  const failing = new Set<string>();
  const { receiver, webhook } = await world.subscribe(({ rawBody }) => {
    const { id } = JSON.parse(rawBody.toString()) as { id: string };
    return { status: failing.has(id) ? 500 : 200 };
  });
  await world.webhooks.update(world.context, webhook.id, { ordered: true });
  return { world, receiver, webhook, failing };
}

/** Ids of events in their order. */
function inOrder(events: readonly EventRecord[]): string[] {
  const key = ({ createdAt, id }: EventRecord) => createdAt.toISOString() + id;
  return [...events].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(({ id }) => id);
}

/** Events one millisecond apart, two of each. */
async function emit(world: World, count: number): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    events.push(await world.emit());
    if (index % 2 === 1) await world.clock.advance(1);
  }
  return events;
}

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: an ordered webhook gets its events one at a time in their order, and waits for a retry`, async (t) => {
    const { world, receiver, failing } = await createOrderedWorld(t, { target });
    const free = await world.subscribe();
    const events = await emit(world, 12);
    const ids = inOrder(events);
    failing.add(ids[2] as string);
    await world.relay.runOnce();
    await world.deliverer.runOnce();
    assert.deepEqual(eventIdsOf(receiver), ids.slice(0, 3));
    assert.equal(free.receiver.requests.length, 12, 'another webhook does not wait');
    await world.clock.advance(999);
    await world.deliverer.runOnce();
    assert.equal(receiver.requests.length, 3);
    failing.clear();
    await world.clock.advance(1);
    await world.deliverer.runOnce();
    assert.deepEqual(eventIdsOf(receiver), [...ids.slice(0, 3), ...ids.slice(2)]);
  });

  test(`${target}: the next event is sent when one has failed for good`, async (t) => {
    const { world, receiver, failing } = await createOrderedWorld(t, {
      target,
      retry: TWO_ATTEMPTS,
    });
    const ids = inOrder(await emit(world, 3));
    failing.add(ids[0] as string);
    await world.relay.runOnce();
    await world.passSeconds(5);
    assert.deepEqual(eventIdsOf(receiver), [ids[0], ids[0], ids[1], ids[2]]);
  });

  test(`${target}: a webhook that is no longer ordered sends what waited; one that is again, in order`, async (t) => {
    const { world, receiver, webhook, failing } = await createOrderedWorld(t, { target });
    const ids = inOrder(await emit(world, 4));
    failing.add(ids[0] as string);
    await world.relay.runOnce();
    await world.deliverer.runOnce();
    assert.equal(receiver.requests.length, 1);
    await world.webhooks.update(world.context, webhook.id, { ordered: false });
    await world.deliverer.runOnce();
    assert.deepEqual(eventIdsOf(receiver).slice(1).sort(), ids.slice(1).sort());
    await world.webhooks.update(world.context, webhook.id, { ordered: true });
    const later = inOrder(await emit(world, 6));
    await world.relay.runOnce();
    await world.passSeconds(2);
    const sent = eventIdsOf(receiver).filter((id) => later.includes(id));
    assert.deepEqual(sent, later);
  });
}

test('an ordered webhook that is disabled holds what waits, and starts again with new events', async (t) => {
  const { world, receiver, webhook, failing } = await createOrderedWorld(t, { target: 'sqlite' });
  const ids = inOrder(await emit(world, 3));
  failing.add(ids[0] as string);
  await world.relay.runOnce();
  await world.passSeconds(20);
  assert.deepEqual(new Set(eventIdsOf(receiver)), new Set([ids[0]]));
  const statuses = (await world.deliveriesOf(webhook.id)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ['failed', 'held', 'held']);
  await world.withdrawals.runOnce();
  await world.webhooks.update(world.context, webhook.id, { active: true });
  const later = inOrder(await emit(world, 2));
  await world.relay.runOnce();
  await world.deliverer.runOnce();
  assert.deepEqual(eventIdsOf(receiver).slice(-2), later);
});

test('with more webhooks than one part of the fan-out has, an ordered one keeps the order', async (t) => {
  const { world, receiver } = await createOrderedWorld(t, { target: 'sqlite' });
  const url = `${receiver.url}/other`;
  for (let index = 0; index < 20; index += 1) {
    const input = { url, events: ['alert.created'], active: true };
    await world.webhooks.create(world.context, input);
  }
  const ids = inOrder(await emit(world, 6));
  await world.relay.runOnce();
  await world.deliverer.runOnce();
  const own = receiver.requests.filter(({ url: path }) => path === '/hook');
  assert.deepEqual(
    own.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { id: string }).id),
    ids,
  );
});

test('two processes on PostgreSQL that turn events into deliveries and send them keep the order', async (t) => {
  const { world, receiver } = await createOrderedWorld(t, { target: 'postgres' });
  const database = world.opened.openAnother();
  assert.ok(database);
  const other = world.createProcess(database, createSqlWebhookStorage(database));
  const ids = inOrder(await emit(world, 40));
  const parts = [world, other].flatMap(({ relay, deliverer }) => [relay, deliverer]);
  while (receiver.requests.length < ids.length) {
    await Promise.all(parts.map((part) => part.runOnce()));
  }
  assert.deepEqual(eventIdsOf(receiver), ids);
});

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: no later event of the organization is sent while another process turns one into deliveries`, async (t) => {
    const { world, receiver } = await createOrderedWorld(t, { target });
    const ids = inOrder(await emit(world, 3));
    const { database, clock } = world;
    const leaseUntil = new Date(clock.now().getTime() + 15_000);
    const request = { now: clock.now(), leaseUntil, limit: 1, groupCapacity: () => 1 };
    await database.transaction((session) =>
      database.kernel(session).claimJobs({ queue: 'outbox', leaseToken: 'other', ...request }),
    );
    const run = async () => {
      await world.relay.runOnce();
      await world.deliverer.runOnce();
    };
    await run();
    assert.deepEqual(eventIdsOf(receiver), []);
    await clock.advance(15_000);
    await run();
    assert.deepEqual(eventIdsOf(receiver), ids);
  });
}

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: a replay sends events to an ordered webhook in their order, whatever their ids`, async (t) => {
    const { world, receiver, webhook } = await createOrderedWorld(t, { target });
    const data = { alertId: 'alr_1', severity: 'medium', type: 'pii', message: 'A message' };
    const ids = ['evt_d', 'evt_c', 'evt_b', 'evt_a', 'evt_0', 'evt_Z'];
    const publish = async (id: string) => {
      await world.webhooks.publish(world.context, { type: 'alert.created', data, id });
      await world.clock.advance(1);
    };
    for (const id of ids.slice(0, 3)) await publish(id);
    await world.webhooks.update(world.context, webhook.id, { active: false });
    await world.relay.runOnce();
    await world.webhooks.update(world.context, webhook.id, { active: true });
    for (const id of ids.slice(3)) await publish(id);
    await world.relay.runOnce();
    await world.passSeconds(0);
    assert.deepEqual(eventIdsOf(receiver), ids.slice(3));
    await world.replays.start(world.context, webhook.id, { since: new Date(0) });
    for (let steps = 0; steps < 9; steps += 1) {
      await world.replayer.runOnce();
      await world.deliverer.runOnce();
      await world.clock.advance(100);
    }
    assert.deepEqual(eventIdsOf(receiver).slice(3), ids);
  });
}

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: events of one transaction are sent to an ordered webhook in the order in which they were published`, async (t) => {
    const { world, receiver } = await createOrderedWorld(t, { target });
    const data = { alertId: 'alr_1', severity: 'medium', type: 'pii', message: 'A message' };
    const ids = await world.storage.transaction(OUTSIDE_REQUEST, async ({ session }) => {
      const published: string[] = [];
      for (let index = 0; index < 10; index += 1) {
        const event = { type: 'alert.created', data };
        published.push((await world.webhooks.publish(world.context, event, { session })).id);
      }
      return published;
    });
    await world.relay.runOnce();
    await world.deliverer.runOnce();
    assert.deepEqual(eventIdsOf(receiver), ids);
  });
}
