import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Dialer } from '@probity/core';
import { createSecretBox, JOB_RETRY, OUTSIDE_REQUEST, systemRandom } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { DatabaseTarget } from '@probity/core/testing';
import type { ReceiverHandler } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { attemptOf, recordAttempt } from '../../src/fixtures.ts';
import { createWebhookDeliverer, DELIVERY_QUEUE } from '../../src/index.ts';
import { HOUR_MS } from '../../src/stats/counts.ts';
import { serve } from '../api.ts';
import { createWorld, targets } from '../world.ts';

/** A world with one delivery, whose job has not run. */
async function start(
  t: TestContext,
  handler: ReceiverHandler = () => ({}),
  target: DatabaseTarget['name'] = 'memory',
) {
  const world = await createWorld(t, { target });
  const call = await serve(t, world);
  const { receiver, webhook } = await world.subscribe(handler);
  await world.publish();
  const [{ id } = { id: '' }] = await world.deliveriesOf(webhook.id);
  const path = `/webhooks/${webhook.id}/deliveries/${id}/redeliver`;
  const read = async () => {
    const found = await world.storage.findDelivery(webhook.id, id);
    assert.ok(found);
    return found.delivery;
  };
  return { world, call, receiver, webhook, path, read, redeliver: () => call('POST', path) };
}

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a failed delivery is sent again with attempts from the beginning of the schedule`, async (t) => {
    const { world, receiver, webhook, read, redeliver } = await start(
      t,
      () => ({ status: 500 }),
      name,
    );
    await world.passSeconds(16);
    assert.deepEqual([(await read()).status, receiver.requests.length], ['failed', 5]);
    await world.webhooks.update(world.context, webhook.id, { active: true });
    const { status, body } = await redeliver();
    assert.deepEqual([status, body.data.status, body.data.attempts.length], [202, 'pending', 5]);
    assert.equal(body.data.nextAttemptAt, world.clock.now().toISOString());
    await world.passSeconds(0);
    assert.equal((await redeliver()).status, 409, 'a retry is pending');
    receiver.respondWith(() => ({}));
    await world.passSeconds(1);
    const delivery = await read();
    assert.equal(delivery.status, 'delivered');
    assert.deepEqual(
      delivery.attempts.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7],
    );
    const bodies = receiver.requests.map(({ rawBody }) => rawBody.toString());
    assert.equal(new Set(bodies).size, 1, 'the same event');
    assert.equal((await redeliver()).status, 202, 'also one that was delivered');
    await world.passSeconds(0);
    assert.equal(receiver.requests.length, 8);
  });

  test(`${name}: a delivery held by a webhook that is off is sent again, before and after it was set to held`, async (t) => {
    const { world, receiver, webhook, read, redeliver } = await start(t, undefined, name);
    const off = () => world.webhooks.update(world.context, webhook.id, { active: false });
    await off();
    assert.equal((await redeliver()).status, 202, 'it is stored as pending');
    await world.withdrawals.runOnce();
    await world.passSeconds(0);
    assert.deepEqual([(await read()).status, receiver.requests.length], ['delivered', 1]);
    await world.webhooks.update(world.context, webhook.id, { active: true });
    await world.publish();
    await off();
    await world.withdrawals.runOnce();
    const all = await world.deliveriesOf(webhook.id);
    const held = all.find(({ status }) => status === 'held');
    assert.ok(held);
    await world.deliveries.redeliver(world.context, webhook.id, held.id);
    await world.passSeconds(0);
    assert.equal(receiver.requests.length, 2);
    assert.equal((await world.webhooks.get(world.context, webhook.id)).active, false);
  });

  test(`${name}: a delivery with an attempt in progress is not sent again`, async (t) => {
    const { world, webhook, read, redeliver } = await start(t, undefined, name);
    const now = world.clock.now();
    const [job] = await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.claimJobs({
        queue: DELIVERY_QUEUE,
        now,
        leaseUntil: new Date(now.getTime() + 15_000),
        leaseToken: 'other worker',
        limit: 1,
        groupCapacity: () => 1,
      }),
    );
    await world.webhooks.update(world.context, webhook.id, { active: false });
    await world.withdrawals.runOnce();
    assert.equal((await read()).status, 'held');
    assert.equal((await redeliver()).status, 409);
    assert.equal((await read()).status, 'held', 'the refused call changed nothing');
    await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
      tx.finishJobs([{ id: job?.id ?? '', leaseToken: 'other worker' }]),
    );
    assert.equal((await redeliver()).status, 202);
  });

  test(`${name}: of several calls at once to send a delivery again, one does`, async (t) => {
    const { world, receiver, redeliver } = await start(t, undefined, name);
    await world.passSeconds(0);
    const answers = await Promise.all(Array.from({ length: 6 }, redeliver));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409, 409, 409, 409]);
    await world.passSeconds(1);
    assert.equal(receiver.requests.length, 2);
  });
}

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a delivery whose job was given up has failed, and is sent again by a call or with its job`, async (t) => {
    const { world, receiver, webhook, read, redeliver } = await start(t, () => ({}), name);
    const { database, clock } = world;
    /** Another encryption key: no attempt can be signed. */
    const giveUp = async () => {
      const runtime = { ...world.runtime, secretBox: createSecretBox([systemRandom(32)]) };
      const { storage, dialer } = world;
      const unable = createWebhookDeliverer(runtime, { storage, dialer });
      for (let attempt = 0; attempt < JOB_RETRY.maxAttempts; attempt += 1) {
        await unable.runOnce();
        await clock.advance(3_600_000);
      }
      assert.equal(await database.kernel(database.reader).countFailedJobs(DELIVERY_QUEUE), 1);
      assert.deepEqual([(await read()).status, (await read()).nextAttemptAt], ['failed', null]);
    };
    const delivery = await read();
    const retryJobs = () =>
      database.transaction((session) =>
        database.kernel(session).retryFailedJobs([delivery.id], clock.now()),
      );
    await giveUp();
    assert.equal((await redeliver()).status, 202);
    await world.deliverer.runOnce();
    assert.deepEqual([(await read()).status, receiver.requests.length], ['delivered', 1]);
    await retryJobs();
    await world.deliverer.runOnce();
    assert.deepEqual([(await read()).status, receiver.requests.length], ['delivered', 1]);

    await redeliver();
    await giveUp();
    await world.webhooks.update(world.context, webhook.id, { active: false });
    await retryJobs();
    await world.deliverer.runOnce();
    assert.deepEqual([(await read()).status, receiver.requests.length], ['failed', 1]);
    await world.webhooks.update(world.context, webhook.id, { active: true });
    await redeliver();
    await giveUp();
    await retryJobs();
    await world.deliverer.runOnce();
    assert.deepEqual([(await read()).status, receiver.requests.length], ['delivered', 2]);
  });
}

test('a delivery keeps its latest 36 attempts, however often it is sent again', async (t) => {
  const { world, read, redeliver } = await start(t);
  const delivery = await read();
  const attempts = Array.from({ length: 36 }, (_, index) => attemptOf(index + 1));
  await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
    recordAttempt(tx, { ...delivery, attempts }, null),
  );
  await world.passSeconds(0);
  await redeliver();
  await world.passSeconds(0);
  const numbers = (await read()).attempts.map(({ number }) => number);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [36, 3, 38]);
});

test('only admins of the organization send a delivery again, which is on the audit log', async (t) => {
  const { world, call, path, read, redeliver } = await start(t);
  await world.passSeconds(0);
  const statusOf = async (token: string) => (await call('POST', path, undefined, token)).status;
  assert.deepEqual([await statusOf('editor'), await statusOf('stranger')], [403, 404]);
  const [, unknown] = [await read(), await call('POST', path.replace(/dlv_\w+/, 'dlv_unknown'))];
  assert.equal(unknown.status, 404);
  assert.equal((await redeliver()).status, 202);
  const reads = world.database.kernel(world.database.reader);
  const filter = { action: 'webhook.redelivered' };
  const { items } = await reads.listAuditEntries(world.organizationId, filter, {
    limit: 9,
    offset: 0,
  });
  const { id: deliveryId, eventId } = await read();
  assert.deepEqual(
    items.map(({ after }) => after),
    [{ deliveryId, eventId }],
  );
});

for (const { name } of sampleTargets(targets)) {
  test(`${name}: a delivery sent again while withdrawn ones are being held is sent`, async (t) => {
    const { world, receiver, webhook } = await start(t, undefined, name);
    const setActive = (active: boolean) =>
      world.webhooks.update(world.context, webhook.id, { active });
    for (let round = 0; round < 8; round += 1) {
      await world.publish();
      await setActive(false);
      const ids = (await world.deliveriesOf(webhook.id)).flatMap(({ id, status }) =>
        status === 'held' ? [id] : [],
      );
      const sent = receiver.requests.length;
      await Promise.all([
        world.withdrawals.runOnce(),
        ...ids.map((id) => world.deliveries.redeliver(world.context, webhook.id, id)),
      ]);
      await world.deliverer.runOnce();
      assert.equal(receiver.requests.length - sent, ids.length);
      await setActive(true);
    }
    const statuses = (await world.deliveriesOf(webhook.id)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set(['delivered']));
  });
}

for (const { name } of sampleTargets(targets)) {
  test(`${name}: an old delivery that is sent again waits for name servers as long as a new one`, async (t) => {
    const { world, receiver, read, redeliver } = await start(t, () => ({}), name);
    await world.passSeconds(0);
    await world.clock.advance(5 * DAY_MS);
    await redeliver();
    const noNames: Dialer = {
      request: async () => {
        const message = 'No name server answered.';
        return { kind: 'error', code: 'dns_unavailable', message, durationMs: 1 };
      },
      close: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
    const { deliverer } = world.createProcess(world.database, world.storage, noNames);
    await deliverer.runOnce();
    assert.equal((await read()).status, 'pending');
    await world.passSeconds(5);
    assert.deepEqual([(await read()).status, receiver.requests.length], ['delivered', 2]);
    await redeliver();
    for (let hours = 0; hours < 73; hours += 1) {
      await deliverer.runOnce();
      await world.clock.advance(HOUR_MS);
    }
    assert.equal((await read()).status, 'failed', 'for 72 hours');
  });
}
