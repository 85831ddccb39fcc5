import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { PROBITY_EVENTS } from '../../src/index.ts';
import { serve } from '../api.ts';
import { createWorld, targets } from '../world.ts';

for (const { name } of sampleTargets(targets)) {
  test(`${name}: GET .../deliveries/{id} answers every attempt, the headers of the last as sent, and the body`, async (t) => {
    const world = await createWorld(t, { target: name });
    const call = await serve(t, world);
    const { receiver, webhook } = await world.subscribe(() => ({ status: 500, body: 'broken' }));
    await world.publish();
    const [delivery] = await world.deliveriesOf(webhook.id);
    const path = `/webhooks/${webhook.id}/deliveries/${delivery?.id}`;
    const before = await call('GET', path);
    assert.deepEqual([before.status, before.body.data.request], [200, null]);
    assert.deepEqual(before.body.data.attempts, []);
    await world.passSeconds(3);
    const { body } = await call('GET', path);
    const { request, body: sent, ...rest } = body.data;
    assert.equal(receiver.requests.length, 3);
    const last = receiver.requests.at(-1);
    assert.equal(sent, last?.rawBody.toString());
    assert.equal(before.body.data.body, sent);
    assert.equal(request.url, `${receiver.url}/hook`);
    const names = ['host', 'content-length', 'connection', 'accept-encoding'];
    const own = Object.entries(last?.headers ?? {}).filter(([header]) => !names.includes(header));
    assert.deepEqual(request.headers, Object.fromEntries(own));
    assert.equal(Object.keys(request.headers).length, 6);
    const list = await call('GET', `/webhooks/${webhook.id}/deliveries`);
    assert.deepEqual(list.body.data, [rest], 'a list leaves the body and the headers out');
  });
}

test('a delivery is shown with its body to admins, for its own webhook and organization only', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { webhook } = await world.subscribe();
  const other = await world.subscribe();
  await world.publish();
  const [delivery] = await world.deliveriesOf(webhook.id);
  const statusOf = async (webhookId: string, id: string, token: Role | 'stranger' = 'admin') =>
    (await call('GET', `/webhooks/${webhookId}/deliveries/${id}`, undefined, token)).status;
  const id = delivery?.id ?? '';
  assert.deepEqual(
    [await statusOf(webhook.id, id), await statusOf(webhook.id, id, 'editor')],
    [200, 403],
  );
  assert.equal(await statusOf(webhook.id, id, 'stranger'), 404);
  assert.equal(await statusOf(other.webhook.id, id), 404);
  assert.equal(await statusOf(webhook.id, 'dlv_unknown'), 404);
});

for (const { name } of sampleTargets(targets)) {
  test(`${name}: POST .../test sends a signed sample to this webhook alone, marked by a header`, async (t) => {
    const world = await createWorld(t, { target: name });
    const call = await serve(t, world);
    const { receiver, webhook, secret } = await world.subscribe(
      () => ({}),
      ['policy.violated', 'alert.created'],
    );
    const other = await world.subscribe(() => ({}), ['policy.violated']);
    const { status, body } = await call('POST', `/webhooks/${webhook.id}/test`);
    assert.equal(status, 202);
    const { eventId, eventType, test: isTest, status: state, attempts } = body.data;
    assert.deepEqual(
      [eventType, isTest, state, attempts],
      ['policy.violated', true, 'pending', []],
    );
    await world.relay.runOnce();
    await world.passSeconds(1);
    const [request, ...more] = receiver.requests;
    assert.deepEqual([more.length, other.receiver.requests.length], [0, 0]);
    const sent = request?.rawBody.toString() ?? '';
    const { createdAt: timestamp } = body.data;
    const data = PROBITY_EVENTS['policy.violated'].example;
    assert.deepEqual(JSON.parse(sent), { id: eventId, type: 'policy.violated', timestamp, data });
    const signature = new StandardWebhook(secret).sign(eventId, new Date(timestamp), sent);
    assert.equal(request?.headers['webhook-signature'], signature);
    assert.equal(request.headers['webhook-test'], 'true');
    const listed = await call(
      'GET',
      `/webhooks/${webhook.id}/deliveries?eventType=policy.violated`,
    );
    assert.deepEqual([listed.body.total, listed.body.data[0].status], [1, 'delivered']);
    const chosen = await call('POST', `/webhooks/${webhook.id}/test`, { type: 'scan.completed' });
    assert.equal(chosen.body.data.eventType, 'scan.completed', 'also a type that it does not list');
    const unknown = await call('POST', `/webhooks/${webhook.id}/test`, { type: 'order.shipped' });
    assert.deepEqual([unknown.status, unknown.body.error.details[0].field], [422, 'type']);
  });
}

test('a failing test is retried and never disables the webhook', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { receiver, webhook } = await world.subscribe(() => ({ status: 500 }));
  const { body } = await call('POST', `/webhooks/${webhook.id}/test`);
  await world.passSeconds(60);
  assert.equal(receiver.requests.length, 5);
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.deepEqual([delivery?.id, delivery?.status], [body.data.id, 'failed']);
  assert.equal((await world.webhooks.get(world.context, webhook.id)).active, true);
});

test('a test is sent while the webhook is off, and leaves it off', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { receiver, webhook } = await world.subscribe();
  await call('PATCH', `/webhooks/${webhook.id}`, { active: false });
  assert.equal((await call('POST', `/webhooks/${webhook.id}/test`)).status, 202);
  await world.withdrawals.runOnce();
  await world.passSeconds(1);
  assert.equal(receiver.requests.length, 1);
  assert.equal((await world.deliveriesOf(webhook.id))[0]?.status, 'delivered');
  assert.equal((await call('GET', `/webhooks/${webhook.id}`)).body.data.active, false);
});

test('only admins of the organization send a test, which is on the audit log', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { webhook } = await world.subscribe();
  const statusOf = async (token: string) =>
    (await call('POST', `/webhooks/${webhook.id}/test`, undefined, token)).status;
  assert.deepEqual([await statusOf('editor'), await statusOf('stranger')], [403, 404]);
  assert.deepEqual(await world.deliveriesOf(webhook.id), []);
  assert.equal(await statusOf('admin'), 202);
  const [delivery] = await world.deliveriesOf(webhook.id);
  const reads = world.database.kernel(world.database.reader);
  const page = { limit: 9, offset: 0 };
  const { items } = await reads.listAuditEntries(
    world.organizationId,
    { action: 'webhook.tested' },
    page,
  );
  assert.deepEqual(
    items.map(({ target, after }) => [target.id, after]),
    [[webhook.id, { deliveryId: delivery?.id, eventType: 'alert.created' }]],
  );
});
