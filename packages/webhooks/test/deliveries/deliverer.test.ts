import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { createDialer, createTenants, OUTSIDE_REQUEST } from '@probity/core';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { DELIVERY_QUEUE, RETRY_PROFILES } from '../../src/index.ts';
import { createWorld, eventIdsOf, targets } from '../world.ts';

for (const { name } of targets) {
  test(`${name}: an event is delivered once, signed, and the attempt is stored`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { receiver, webhook, secret } = await world.subscribe(() => ({
      status: 202,
      body: 'ok',
    }));
    const [event] = await world.publish();
    await world.passSeconds(3);
    const [request, ...more] = receiver.requests;
    assert.ok(request && event);
    assert.equal(more.length, 0);
    assert.deepEqual(JSON.parse(request.rawBody.toString()), {
      id: event.id,
      type: 'alert.created',
      timestamp: event.createdAt.toISOString(),
      data: event.data,
    });
    assert.deepEqual([request.method, request.url], ['POST', '/hook']);
    assert.equal(request.headers['content-type'], 'application/json');
    assert.equal(request.headers['user-agent'], 'Probity-Webhooks/1');
    assert.equal(request.headers['webhook-id'], event.id);
    const hex = createHmac('sha256', secret).update(request.rawBody).digest('hex');
    assert.equal(request.headers['x-service-signature'], `sha256=${hex}`);
    const at = event.createdAt;
    assert.equal(Number(request.headers['webhook-timestamp']) * 1_000, at.getTime());
    const signature = new StandardWebhook(secret).sign(event.id, at, request.rawBody.toString());
    assert.equal(request.headers['webhook-signature'], signature);
    const [delivery] = await world.deliveriesOf(webhook.id);
    assert.equal(delivery?.status, 'delivered');
    assert.equal(delivery.nextAttemptAt, null);
    const [attempt] = delivery.attempts;
    assert.deepEqual(
      { ...attempt, durationMs: 0 },
      {
        number: 1,
        at: event.createdAt,
        durationMs: 0,
        responseStatus: 202,
        responseBody: 'ok',
        error: null,
      },
    );
  });

  test(`${name}: no event of an organization is delivered after it was removed`, async (t) => {
    const world = await createWorld(t, { target: name });
    const { receiver } = await world.subscribe();
    await world.publish();
    await world.emit();
    const tenants = createTenants(world.database, world.clock);
    assert.equal(await tenants.remove(world.organizationId), true);
    await world.relay.runOnce();
    await world.passSeconds(60);
    assert.equal(receiver.requests.length, 0);
  });

  test(`${name}: a failing endpoint is called at 0, 1, 3, 7 and 15 s, then its webhook is disabled`, async (t) => {
    const world = await createWorld(t, { target: name });
    const startMs = world.clock.now().getTime();
    const seconds: number[] = [];
    const { receiver, webhook } = await world.subscribe(() => {
      seconds.push((world.clock.now().getTime() - startMs) / 1_000);
      return { status: 500, body: 'broken' };
    });
    await world.publish();
    await world.passSeconds(14);
    const [late] = await world.publish();
    await world.passSeconds(60);
    const ofFirst = seconds.filter((_, index) => eventIdsOf(receiver)[index] !== late?.id);
    assert.deepEqual(ofFirst, [0, 1, 3, 7, 15]);
    const bodies = receiver.requests
      .filter((_, index) => eventIdsOf(receiver)[index] !== late?.id)
      .map(({ rawBody }) => rawBody.toString('hex'));
    assert.equal(new Set(bodies).size, 1, 'the body is the same at every attempt');

    const [second, first] = await world.deliveriesOf(webhook.id);
    assert.deepEqual([first?.status, first?.attempts.length], ['failed', 5]);
    assert.deepEqual([second?.status, second?.nextAttemptAt], ['held', null]);
    const off = await world.webhooks.get(world.context, webhook.id);
    assert.equal(off.active, false);
    assert.deepEqual(off.disabledAt, new Date(startMs + 15_000));
    assert.match(off.disabledReason ?? '', /^5 attempts to deliver evt_\w+ failed.*500\.$/);
    await world.withdrawals.runOnce();
    const kernel = world.database.kernel(world.database.reader);
    assert.equal(await kernel.countJobs(DELIVERY_QUEUE), 0);
    assert.ok(world.lines.some((line) => line.includes('a webhook was disabled')));
  });
}

test('a webhook that is turned on again gets new events and counts failures from zero', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 500 }));
  await world.publish(2);
  await world.passSeconds(20);
  const tried = receiver.requests.length;
  const on = await world.webhooks.update(world.context, webhook.id, { active: true });
  assert.deepEqual([on.active, on.disabledAt, on.disabledReason], [true, null, null]);
  await world.passSeconds(60);
  assert.equal(receiver.requests.length, tried, 'held deliveries stay held');
  const [event] = await world.publish();
  await world.passSeconds(1);
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, true);
  receiver.respondWith(() => ({ status: 200 }));
  await world.passSeconds(2);
  const delivery = (await world.deliveriesOf(webhook.id)).find(
    ({ eventId }) => eventId === event?.id,
  );
  assert.deepEqual([delivery?.status, delivery?.attempts.length], ['delivered', 3]);
});

test('a webhook with the resilient profile survives an outage of a day', async (t) => {
  const world = await createWorld(t, { retry: RETRY_PROFILES.resilient });
  const { receiver, webhook } = await world.subscribe(() => ({ status: 503 }));
  await world.publish();
  for (let hour = 0; hour < 24; hour += 1) {
    await world.deliverer.runOnce();
    await world.clock.advance(3_600_000);
  }
  receiver.respondWith(() => ({ status: 200 }));
  await world.clock.advance(12 * 3_600_000);
  await world.deliverer.runOnce();
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.equal(delivery?.status, 'delivered');
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, true);
});

test('a redirect of an endpoint is a failed attempt and is not followed', async (t) => {
  const world = await createWorld(t);
  const elsewhere = await world.subscribe(() => ({}), ['scan.completed']);
  const headers = { location: `${elsewhere.receiver.url}/` };
  const { webhook } = await world.subscribe(() => ({ status: 307, headers }));
  await world.publish();
  await world.deliverer.runOnce();
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.status, delivery?.attempts[0]?.responseStatus], ['pending', 307]);
  assert.equal(elsewhere.receiver.requests.length, 0);
});

test('only the first 4 KB of the response to an attempt are stored', async (t) => {
  const world = await createWorld(t);
  const { webhook } = await world.subscribe(() => ({ body: 'x'.repeat(100_000) }));
  await world.publish();
  await world.deliverer.runOnce();
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.equal(delivery?.attempts[0]?.responseBody, 'x'.repeat(4_096));
  assert.equal(delivery.status, 'delivered');
});

test('an attempt without an answer within 30 s fails', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => undefined);
  await world.publish();
  await world.deliverer.start();
  await receiver.waitFor(() => true);
  await world.clock.advance(29_999);
  assert.deepEqual((await world.deliveriesOf(webhook.id))[0]?.attempts, []);
  await world.clock.advance(1);
  await world.deliverer.stop();
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.match(delivery?.attempts[0]?.error ?? '', /^timeout: /);
  assert.deepEqual([delivery?.status, delivery?.attempts.length], ['pending', 1]);
});

test('an address that is no longer allowed is not called, and the attempt records why', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe();
  await world.publish();
  const allow = { allows: () => false, coversPort: () => false, namesLoopback: () => false };
  const dialer = createDialer({ allow, clock: world.clock });
  const strict = world.createProcess(world.database, world.storage, dialer);
  await strict.deliverer.runOnce();
  await dialer.close();
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.match(delivery?.attempts[0]?.error ?? '', /^refused_address: /);
  assert.equal(receiver.requests.length, 0);
});

test('an attempt interrupted by a shutdown does not count and is repeated', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => undefined);
  await world.publish();
  await world.deliverer.start();
  await receiver.waitFor(() => true);
  await world.deliverer.stop();
  const [interrupted] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([interrupted?.status, interrupted?.attempts], ['pending', []]);
  receiver.respondWith(() => ({}));
  const successor = world.createProcess(world.database, world.storage);
  assert.equal(await successor.deliverer.runOnce(), 1);
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.status, delivery?.attempts.length], ['delivered', 1]);
});

test('a delivery of a worker that died is taken over by another once the lease expires', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe();
  await world.publish();
  const now = world.clock.now();
  const claimed = await world.storage.transaction(OUTSIDE_REQUEST, (tx) =>
    tx.claimJobs({
      queue: DELIVERY_QUEUE,
      now,
      leaseUntil: new Date(now.getTime() + 15_000),
      leaseToken: 'vanished',
      limit: 10,
      groupCapacity: () => 10,
    }),
  );
  assert.equal(claimed.length, 1);
  await world.passSeconds(14);
  assert.equal(receiver.requests.length, 0);
  await world.passSeconds(1);
  assert.equal(receiver.requests.length, 1);
  assert.equal((await world.deliveriesOf(webhook.id))[0]?.status, 'delivered');
});

test('a webhook that is turned off or deleted is no longer called', async (t) => {
  const world = await createWorld(t);
  const off = await world.subscribe();
  const gone = await world.subscribe();
  await world.publish(3);
  await world.webhooks.update(world.context, off.webhook.id, { active: false });
  await world.webhooks.remove(world.context, gone.webhook.id);
  await world.withdrawals.runOnce();
  const kernel = world.database.kernel(world.database.reader);
  assert.equal(await kernel.countJobs(DELIVERY_QUEUE), 0);
  await world.publish();
  await world.passSeconds(60);
  assert.deepEqual([off.receiver.requests.length, gone.receiver.requests.length], [0, 0]);
  const statuses = (await world.deliveriesOf(off.webhook.id)).map(({ status }) => status);
  assert.deepEqual(statuses, ['held', 'held', 'held']);
});

test('the next attempt goes to the changed URL of a webhook', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 500 }));
  const next = await world.subscribe(() => ({}), ['scan.completed']);
  await world.publish();
  await world.deliverer.runOnce();
  await world.webhooks.update(world.context, webhook.id, { url: `${next.receiver.url}/new` });
  await world.passSeconds(1);
  assert.deepEqual([receiver.requests.length, next.receiver.requests.length], [1, 1]);
  assert.equal((await world.deliveriesOf(webhook.id))[0]?.status, 'delivered');
});

test('a name server that does not answer disables no webhook, and the delivery follows later', async (t) => {
  const world = await createWorld(t);
  const { receiver, webhook } = await world.subscribe();
  const outage = Object.assign(new Error('queryA ETIMEOUT'), { code: 'ETIMEOUT' });
  const { allow, clock } = world;
  const dialer = createDialer({ allow, clock, lookup: () => Promise.reject(outage) });
  t.after(() => dialer.close());
  const named = await world.storage.withTenantLock(world.context, world.organizationId, (tx) =>
    tx.updateWebhook(world.organizationId, webhook.id, { url: 'https://receiver.example/hook' }),
  );
  assert.ok(named);
  const { deliverer } = world.createProcess(world.database, world.storage, dialer);
  await world.publish();
  for (let minute = 0; minute < 10; minute += 1) {
    await deliverer.runOnce();
    await clock.advance(60_000);
  }
  const [waiting] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([waiting?.status, waiting?.attemptCount], ['pending', 0]);
  assert.ok(waiting?.nextAttemptAt);
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, true);
  await world.webhooks.update(world.context, webhook.id, { url: `${receiver.url}/hook` });
  await world.passSeconds(600);
  const [delivered] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([delivered?.status, delivered?.attempts.length], ['delivered', 1]);
});
