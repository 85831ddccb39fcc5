import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTenants, OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import { hostConnections } from '@probity/core/testing';
import { sampleTargets } from '@probity/test-support/combinations';
import { z } from 'zod';
import type { EventCatalog } from '../../src/index.ts';
import { MAX_EVENT_BYTES, PROBITY_EVENTS } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, eventIdsOf, targets } from '../world.ts';

const eventTypes: EventCatalog = {
  ...PROBITY_EVENTS,
  'order.shipped': {
    description: 'An order has left the warehouse.',
    schema: z.strictObject({ orderId: z.string(), boxes: z.int().default(1) }),
    example: { orderId: 'ord_1', boxes: 2 },
  },
  'order.noted': { description: 'Something was noted.', example: {} },
};
const SHIPPED = { type: 'order.shipped', data: { orderId: 'ord_1' } };

/** The parsed bodies received by a webhook for these types. */
async function subscribe(world: World, ...events: string[]) {
  const { receiver, webhook } = await world.subscribe(() => ({}), events);
  return {
    webhook,
    receiver,
    async arrived() {
      // Events with an id of the host's take a millisecond each.
      await world.clock.advance(10);
      await world.relay.runOnce();
      await world.deliverer.runOnce();
      return receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()));
    },
  };
}

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: an event of a host's type reaches the webhooks that list it`, async (t) => {
    const world = await createWorld(t, { target, eventTypes });
    const wanted = await subscribe(world, 'order.shipped');
    const other = await subscribe(world, 'alert.created');
    const event = await world.webhooks.publish(world.context, SHIPPED);
    assert.match(event.id, /^evt_/);
    const timestamp = event.createdAt.toISOString();
    const data = { orderId: 'ord_1', boxes: 1 };
    assert.deepEqual(await wanted.arrived(), [
      { id: event.id, type: 'order.shipped', timestamp, data },
    ]);
    assert.deepEqual(await other.arrived(), []);
    const [delivery] = await world.deliveriesOf(wanted.webhook.id);
    assert.deepEqual([delivery?.eventType, delivery?.status], ['order.shipped', 'delivered']);
  });

  test(`${target}: events of one millisecond are in the order of their publication, whatever their ids`, async (t) => {
    const world = await createWorld(t, { target, eventTypes });
    const { webhook, receiver, arrived } = await subscribe(world, 'order.shipped');
    await world.webhooks.update(world.context, webhook.id, { ordered: true });
    const given = ['evt_c', undefined, 'evt_B', 'evt_b', 'evt_a', undefined, undefined, undefined];
    const published = await world.storage.transaction(OUTSIDE_REQUEST, async ({ session }) => {
      const ids: string[] = [];
      for (const id of given) {
        const event = await world.webhooks.publish(world.context, { ...SHIPPED, id }, { session });
        ids.push(event.id);
      }
      return ids;
    });
    await arrived();
    assert.deepEqual(eventIdsOf(receiver), published);
  });

  test(`${target}: an event published twice under one id is sent once`, async (t) => {
    const world = await createWorld(t, { target, eventTypes });
    const { receiver, arrived } = await subscribe(world, 'order.shipped');
    const event = { ...SHIPPED, id: 'evt_order-17_shipped' };
    const publish = () => world.webhooks.publish(world.context, event);
    const [first, second] = await Promise.all([publish(), publish()]);
    await world.clock.advance(1_000);
    assert.deepEqual(second, first);
    assert.deepEqual(await publish(), first);
    await arrived();
    assert.deepEqual(eventIdsOf(receiver), [event.id]);
    const other = { ...event, type: 'order.noted' };
    await assert.rejects(world.webhooks.publish(world.context, other), { kind: 'conflict' });
  });

  test(`${target}: of two organizations that publish one id at once, one gets a conflict`, async (t) => {
    const world = await createWorld(t, { target, eventTypes });
    await createTenants(world.database).ensure('org_other');
    const other = { principal: { organizationId: 'org_other' }, requestId: null };
    for (let round = 0; round < 5; round += 1) {
      const event = { ...SHIPPED, id: `evt_round${round}` };
      const results = await Promise.allSettled(
        [world.context, other].map((cause) => world.webhooks.publish(cause, event)),
      );
      const refused = results.filter((result) => result.status === 'rejected');
      assert.deepEqual(
        refused.map(({ reason }) => reason.kind),
        ['conflict'],
      );
    }
  });

  test(`${target}: publishing to an organization that does not exist stores nothing`, async (t) => {
    const world = await createWorld(t, { target, eventTypes });
    const cause = { principal: { organizationId: 'org_none' }, requestId: null };
    await assert.rejects(world.webhooks.publish(cause, SHIPPED), { kind: 'not_found' });
    const named = { ...SHIPPED, id: 'evt_1' };
    await assert.rejects(world.webhooks.publish(cause, named), { kind: 'not_found' });
  });
}

test('an event with an id leaves the tenant unlocked while the transaction of a host is open', async (t) => {
  const world = await createWorld(t, { target: 'postgres', eventTypes });
  assert.ok(world.opened.kind === 'sql');
  const { database, url } = world.opened;
  const transaction = await hostConnections(url)[0]?.begin();
  assert.ok(transaction);
  const { session } = transaction;
  await world.webhooks.publish(world.context, { ...SHIPPED, id: 'evt_held' }, { session });
  const locking = database.transaction(async (other) => {
    await other.execute("set local lock_timeout = '20s'", []);
    return database.lockTenant(other, world.context.principal.organizationId);
  });
  const locked = await locking.catch((error: Error) => error.message);
  await transaction.rollback();
  assert.equal(locked, true);
});

for (const target of ['sqlite', 'postgres'] as const) {
  const names = target === 'sqlite' ? ['kysely', 'better-sqlite3'] : ['kysely', 'pg'];
  for (const name of names) {
    const begin = async (world: World) => {
      assert.ok(world.opened.kind === 'sql');
      const { database, url } = world.opened;
      await database.transaction((session) =>
        session.execute('create table orders (id text primary key)', []),
      );
      const host = hostConnections(url).find((each) => each.name === name);
      assert.ok(host);
      const transaction = await host.begin();
      await transaction.execute("insert into orders (id) values ('ord_1')");
      const scope = { session: transaction.session };
      await world.webhooks.publish(world.context, SHIPPED, scope);
      await world.webhooks.publish(world.context, { ...SHIPPED, id: 'evt_named' }, scope);
      const orders = async () =>
        (await database.reader.execute('select id from orders', [])).rows.length;
      return { transaction, orders };
    };

    test(`${target} by ${name}: events published in a host's transaction are delivered when it commits`, async (t) => {
      const world = await createWorld(t, { target, eventTypes });
      const { arrived } = await subscribe(world, 'order.shipped');
      const { transaction, orders } = await begin(world);
      const reads = world.database.kernel(world.database.reader);
      assert.deepEqual([await reads.findEvent('evt_named'), await orders()], [null, 0]);
      await transaction.commit();
      const bodies = await arrived();
      assert.deepEqual([bodies.length, await orders()], [2, 1]);
      assert.ok(bodies.some(({ id }) => id === 'evt_named'));
    });

    test(`${target} by ${name}: events published in a host's transaction are discarded when it rolls back`, async (t) => {
      const world = await createWorld(t, { target, eventTypes });
      const { arrived } = await subscribe(world, 'order.shipped');
      const { transaction, orders } = await begin(world);
      await transaction.rollback();
      assert.deepEqual([await arrived(), await orders()], [[], 0]);
    });
  }
}

const noted = (data: unknown) => ({ type: 'order.noted', data: data as object });
const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const refusals: ReadonlyArray<
  readonly [title: string, event: { type: string; data: object; id?: string }, details: object[]]
> = [
  [
    'of an unknown type',
    { type: 'order.lost', data: {} },
    [{ field: 'type', message: `must be one of ${Object.keys(eventTypes).join(', ')}` }],
  ],
  [
    "of a type named like an object's own member",
    { type: 'constructor', data: {} },
    [{ field: 'type', message: `must be one of ${Object.keys(eventTypes).join(', ')}` }],
  ],
  [
    'with a list as data',
    noted([1]),
    [{ field: 'data', message: 'must be an object of JSON values' }],
  ],
  [
    'with circular data',
    noted(cycle),
    [{ field: 'data', message: 'must be an object of JSON values' }],
  ],
  [
    'of more than a megabyte',
    noted({ text: 'x'.repeat(MAX_EVENT_BYTES - 10) }),
    [
      {
        field: 'data',
        message: `is ${MAX_EVENT_BYTES + 1} bytes of JSON, more than the ${MAX_EVENT_BYTES} of an event`,
      },
    ],
  ],
  [
    'with an id of the wrong form',
    { ...SHIPPED, id: 'ord_1' },
    [{ field: 'id', message: 'must be evt_ followed by 1 to 64 letters, digits, _ or -' }],
  ],
];

for (const [title, event, details] of refusals) {
  test(`publishing an event ${title} is refused`, async (t) => {
    const world = await createWorld(t, { eventTypes });
    await assert.rejects(world.webhooks.publish(world.context, event), {
      kind: 'validation_failed',
      details,
    });
    assert.equal(await world.relay.runOnce(), 0);
  });
}

test('publishing data that the schema of its type rejects fails with every invalid field', async (t) => {
  const world = await createWorld(t, { eventTypes });
  const data = { orderId: 7, color: 'red' };
  const publishing = world.webhooks.publish(world.context, { type: 'order.shipped', data });
  await assert.rejects(publishing, (error: unknown) => {
    assert.ok(error instanceof ProbityError);
    assert.deepEqual(
      error.details?.map(({ field }) => field),
      ['data.orderId', 'data'],
    );
    return true;
  });
});

test('an event of exactly a megabyte is published', async (t) => {
  const world = await createWorld(t, { eventTypes });
  const data = { text: 'x'.repeat(MAX_EVENT_BYTES - 11) };
  await world.webhooks.publish(world.context, noted(data));
  assert.equal(await world.relay.runOnce(), 1);
});

test('publish refuses a call without a context and members that do not exist', async (t) => {
  const world = await createWorld(t);
  const publish = world.webhooks.publish as (...given: unknown[]) => Promise<unknown>;
  const event = { type: 'alert.created', data: {} };
  await assert.rejects(publish(event), /publish: the first argument is a context/);
  await assert.rejects(publish(undefined, event), /publish: the first argument is a context/);
  await assert.rejects(publish(world.context, { ...event, ID: 'evt_1' }), /ID is not an option/);
  await assert.rejects(publish(world.context), /publish: expected an object of type, data, id/);
});
