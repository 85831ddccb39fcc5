import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import {
  createWithdrawalWorker,
  WITHDRAWAL_QUEUE,
  withdrawalJob,
} from '../../src/deliveries/withdrawal.ts';
import { appendEvent, deliveryFixture, recordAttempt } from '../../src/fixtures.ts';
import { DELIVERY_QUEUE } from '../../src/index.ts';
import type { WebhookStorage, WebhookTransaction } from '../../src/storage.ts';
import type { World } from '../world.ts';
import { createWorld, eventIdsOf, targets } from '../world.ts';

async function statusesOf({ deliveries, context }: World, webhookId: string) {
  const page = { limit: 50, offset: 0 };
  const { items, total } = await deliveries.list(context, webhookId, {}, page);
  const held = await deliveries.list(context, webhookId, { status: 'held' }, page);
  assert.equal(items.filter(({ status }) => status === 'held').length, held.items.length);
  return { statuses: items.map(({ status }) => status).sort(), total, held: held.total };
}

test('a webhook turned off and on again at once sends nothing of before, and everything of after', async (t) => {
  const world = await createWorld(t, { target: 'sqlite' });
  const { receiver, webhook } = await world.subscribe();
  await world.publish(3);
  await world.webhooks.update(world.context, webhook.id, { active: false });
  const held = { statuses: ['held', 'held', 'held'], total: 3, held: 3 };
  assert.deepEqual(await statusesOf(world, webhook.id), held, 'at once');
  const reads = world.database.kernel(world.database.reader);
  assert.equal(await reads.countJobs(DELIVERY_QUEUE), 3, 'the request does not end them itself');
  await world.webhooks.update(world.context, webhook.id, { active: true });
  const [after] = await world.publish();
  assert.deepEqual((await statusesOf(world, webhook.id)).statuses, [...held.statuses, 'pending']);
  await world.deliverer.runOnce();
  await world.withdrawals.runOnce();
  assert.deepEqual(eventIdsOf(receiver), [after?.id]);
  assert.deepEqual(await statusesOf(world, webhook.id), {
    statuses: ['delivered', ...held.statuses],
    total: 4,
    held: 3,
  });
});

for (const end of ['turned off', 'deleted']) {
  test(`the deliveries of a webhook that is ${end} are ended in batches, each in its own transaction`, async (t) => {
    const world = await createWorld(t, { target: 'sqlite' });
    const { webhook } = await world.subscribe();
    await world.storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (let index = 0; index < 501; index += 1) {
        const event = await appendEvent(world.storage, world.organizationId, 'alert.created', tx);
        await tx.insertDeliveries([deliveryFixture(webhook, event)]);
      }
    });
    if (end === 'deleted') await world.webhooks.remove(world.context, webhook.id);
    else await world.webhooks.update(world.context, webhook.id, { active: false });
    const batches: number[] = [];
    const storage: WebhookStorage = {
      ...world.storage,
      withTenantLock: (scope, tenantId, work) =>
        world.storage.withTenantLock(scope, tenantId, (tx) => {
          const counted = (run: (ids: readonly string[]) => Promise<void>) => {
            return (ids: readonly string[]) => {
              batches.push(ids.length);
              return run(ids);
            };
          };
          const holdDeliveries = counted(tx.holdDeliveries);
          const deleteDeliveries = counted(tx.deleteDeliveries);
          return work(Object.assign(Object.create(tx), { holdDeliveries, deleteDeliveries }));
        }),
    };
    await createWithdrawalWorker(world.runtime, { storage }).runOnce();
    assert.deepEqual(batches, [500, 1, 0]);
  });
}

test('an attempt under way at its last failure fails, though another delivery turned the webhook off', async (t) => {
  const world = await createWorld(t);
  const { webhook } = await world.subscribe(() => ({ status: 500 }));
  await world.publish(2);
  await world.passSeconds(20);
  await world.withdrawals.runOnce();
  const found = await world.deliveriesOf(webhook.id);
  assert.deepEqual(
    found.map(({ status, attempts }) => [status, attempts.length]),
    [
      ['failed', 5],
      ['failed', 5],
    ],
  );
});

test('results that are being stored do not hold up the ending of deliveries', async (t) => {
  const world = await createWorld(t, { target: 'postgres' });
  const run = <Result>(work: (tx: WebhookTransaction) => Promise<Result>) =>
    world.storage.transaction(OUTSIDE_REQUEST, work);
  for (const [end, expected] of [
    ['holdDeliveries', ['failed', 'failed']],
    ['deleteDeliveries', ['failed']],
  ] as const) {
    const { webhook } = await world.subscribe();
    await world.publish(2);
    const pending = await world.deliveriesOf(webhook.id);
    const [first, second] = pending.map((delivery) => ({ ...delivery, status: 'failed' as const }));
    assert.ok(first && second);
    const ending = new EventEmitter();
    const ended = once(ending, 'end');
    // Two that wait for each other would be ended by PostgreSQL after a second.
    const storing = run(async (tx) => {
      assert.equal(await recordAttempt(tx, second, null), true);
      ending.emit('start');
      await ended;
      await recordAttempt(tx, first, null);
    });
    await once(ending, 'start');
    await run((tx) => tx[end]([first.id, second.id]));
    ending.emit('end');
    await storing;
    const statuses = (await world.deliveriesOf(webhook.id)).map(({ status }) => status);
    assert.deepEqual(statuses, expected);
  }
});

test('the deliveries of a webhook whose organization was removed need no further end', async (t) => {
  const world = await createWorld(t, { target: 'sqlite' });
  const { ids } = world.runtime;
  const job = withdrawalJob(ids, 'org_removed', 'whk_removed', world.clock.now());
  await world.storage.transaction(OUTSIDE_REQUEST, (tx) => tx.enqueueJobs([job]));
  assert.equal(await world.withdrawals.runOnce(), 1);
  const reads = world.database.kernel(world.database.reader);
  assert.deepEqual(
    [await reads.countJobs(WITHDRAWAL_QUEUE), await reads.countFailedJobs(WITHDRAWAL_QUEUE)],
    [0, 0],
  );
});

for (const { name: target } of sampleTargets(targets)) {
  test(`${target}: an attempt from before a webhook was turned off does not disable it once it is on again`, async (t) => {
    const retry = { delaysMs: [1_000], maxAttempts: 2, disableAfterFailures: 1, maxAgeMs: 60_000 };
    const world = await createWorld(t, { target, retry });
    const arrivals = new EventEmitter();
    const { webhook } = await world.subscribe(async () => {
      arrivals.emit('request');
      await once(arrivals, 'answer');
      return { status: 500 };
    });
    await world.publish();
    const arrived = once(arrivals, 'request');
    const running = world.deliverer.runOnce();
    await arrived;
    await world.webhooks.update(world.context, webhook.id, { active: false });
    await world.webhooks.update(world.context, webhook.id, { active: true });
    arrivals.emit('answer');
    await running;
    assert.deepEqual((await statusesOf(world, webhook.id)).statuses, ['failed']);
    const { active, disabledReason } = await world.webhooks.get(world.context, webhook.id);
    assert.deepEqual([active, disabledReason, world.sent], [true, null, []]);
  });
}
