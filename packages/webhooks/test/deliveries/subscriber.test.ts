import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRecord } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { OUTBOX_QUEUE } from '@probity/core/internal';
import { withTenant } from '@probity/core/testing';
import { sampleTargets } from '@probity/test-support/combinations';
import { appendEvent, insertWebhook } from '../../src/fixtures.ts';
import { DELIVERY_QUEUE } from '../../src/index.ts';
import { createWorld, targets } from '../world.ts';

const url = 'https://127.0.0.1:8443/hook';

for (const { name } of sampleTargets(targets)) {
  test(`${name}: an event creates a delivery and a job for each active webhook that lists its type`, async (t) => {
    const { webhooks, context, publish, deliveriesOf, database } = await createWorld(t, {
      target: name,
    });
    const create = async (events: string[], active = true) =>
      (await webhooks.create(context, { url, events, active })).webhook.id;
    const wanted = [await create(['alert.created']), await create(['alert.created'])];
    const others = [await create(['scan.completed']), await create(['alert.created'], false)];
    const [event] = await publish();
    for (const id of wanted) {
      const [delivery, ...rest] = await deliveriesOf(id);
      assert.deepEqual([delivery?.eventId, delivery?.status], [event?.id, 'pending']);
      assert.equal(rest.length, 0);
    }
    for (const id of others) assert.deepEqual(await deliveriesOf(id), []);
    assert.equal(await database.kernel(database.reader).countJobs(DELIVERY_QUEUE), 2);
  });

  test(`${name}: an event for many webhooks is delivered in parts, between which other organizations have their turns`, async (t) => {
    const world = await createWorld(t, { target: name });
    const add = (organizationId: string) =>
      insertWebhook(world.storage, organizationId, { events: ['alert.created'] });
    const own = await Promise.all(Array.from({ length: 20 }, () => add(world.organizationId)));
    const { organizationId: other } = await withTenant(world.opened);
    const single = await add(other);
    const event = await world.emit();
    const sizes: number[] = [];
    const kernel = world.database.kernel(world.database.reader);
    const stored = () => kernel.countJobs(DELIVERY_QUEUE);
    // The first call leaves everything to later transactions.
    let after: string | undefined;
    do {
      const before = await stored();
      after = await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        const next = await world.subscriber.receive(event, tx, after);
        return typeof next === 'string' ? next : undefined;
      });
      sizes.push((await stored()) - before);
    } while (after !== undefined);
    assert.deepEqual(sizes, [0, 16, 4]);
    // The relay does the same, repeats nothing and leaves no job.
    const second = await appendEvent(world.storage, other);
    await world.relay.runOnce();
    assert.equal(await stored(), 21);
    assert.equal((await world.deliveriesOf(single.id))[0]?.eventId, second.id);
    const lists = await Promise.all(own.map(({ id }) => world.deliveriesOf(id)));
    assert.ok(lists.every(({ length }) => length === 1));
    for (const queue of [OUTBOX_QUEUE, `${OUTBOX_QUEUE}.webhooks`]) {
      assert.equal(await kernel.countJobs(queue), 0);
    }
  });

  test(`${name}: events that come together make 64 deliveries at most, and the others later`, async (t) => {
    const world = await createWorld(t, { target: name });
    for (let index = 0; index < 15; index += 1) {
      await insertWebhook(world.storage, world.organizationId, { events: ['alert.created'] });
    }
    const events: EventRecord[] = [];
    for (let index = 0; index < 6; index += 1) events.push(await world.emit());
    const cursors = await world.storage.transaction(
      OUTSIDE_REQUEST,
      async (tx) =>
        (await world.subscriber.receiveAll?.([...events, ...events.slice(0, 1)], tx)) ?? [],
    );
    assert.deepEqual(
      cursors.map((cursor) => cursor === undefined),
      [true, true, true, true, false, false, false],
    );
    const kernel = world.database.kernel(world.database.reader);
    assert.equal(await kernel.countJobs(DELIVERY_QUEUE), 60);
    await world.relay.runOnce();
    assert.equal(await kernel.countJobs(DELIVERY_QUEUE), 90);
  });

  test(`${name}: an event that the subscriber gets twice is delivered once`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { webhook } = await world.webhooks.create(world.context, {
      url,
      events: ['alert.created'],
    });
    const [event] = await world.publish();
    assert.ok(event);
    await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      assert.equal(await world.subscriber.receive(event, tx), undefined);
    });
    assert.equal((await world.deliveriesOf(webhook.id)).length, 1);
    const kernel = world.database.kernel(world.database.reader);
    assert.equal(await kernel.countJobs(DELIVERY_QUEUE), 1);
  });

  test(`${name}: a transaction that fails after the fan-out stores no delivery`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { webhook } = await world.webhooks.create(world.context, {
      url,
      events: ['alert.created'],
    });
    const event = await world.emit();
    const failing = world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      await world.subscriber.receive(event, tx);
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    assert.deepEqual(await world.deliveriesOf(webhook.id), []);
  });
}
