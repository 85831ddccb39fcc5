import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutboxRelay, createRuntime, OUTSIDE_REQUEST } from '@probity/core';
import { startHttpsReceiver, until } from '@probity/test-support';
import { RETRY_PROFILES, webhooks } from '../src/index.ts';
import { createWebhookCapability } from '../src/koa.ts';
import { createWorld } from './world.ts';

test('the webhook capability delivers events when a program runs its parts', async (t) => {
  const world = await createWorld(t);
  const { storage, allow, dialer, context } = world;
  const runtime = { ...world.runtime };
  const capability = createWebhookCapability(runtime, { storage, targets: { allow }, dialer });
  const { background = [], subscribers = [] } = capability;
  const relay = createOutboxRelay({ ...runtime, subscribers });
  const receiver = await startHttpsReceiver({ test: t });
  const { webhooks, deliveries } = capability.services;
  const { webhook } = await webhooks.create(context, {
    url: receiver.url,
    events: ['alert.created'],
  });
  for (const part of background) await part.start();
  const data = { alertId: 'alr_1', severity: 'low', type: 'pii', message: 'An address' } as const;
  await storage.transaction(OUTSIDE_REQUEST, (tx) =>
    runtime.emit(tx, context, 'alert.created', data),
  );
  await relay.runOnce();
  const page = { limit: 10, offset: 0 };
  await until(async () => {
    const { items } = await deliveries.list(context, webhook.id, {}, page);
    return items.some(({ status }) => status === 'delivered');
  }, 'the delivery has ended');
  assert.equal(receiver.requests.length, 1);
  for (const part of background) await part.stop();
  assert.deepEqual(
    capability.groups.map(({ prefix }) => prefix),
    ['/api/v1'],
  );
});

test('the webhook capability without a secret box fails with a message that names it', async (t) => {
  const { database, storage, allow } = await createWorld(t);
  const runtime = createRuntime({ database });
  const create = () => createWebhookCapability(runtime, { storage, targets: { allow } });
  assert.throws(create, /webhooks needs a secretBox in its runtime/);
});

test('webhooks refuses a setting of the wrong form by name', () => {
  for (const [settings, message] of [
    [{ storage: {} }, /webhooks: storage must be .*; listWebhooks is no function/],
    [{ notices: {} }, /webhooks: notices must be .*; send is no function/],
    [{ prefix: 'hooks' }, /webhooks: prefix must be a path/],
    [{ egress: 'intranet' }, /webhooks: egress: "intranet" in a list/],
    [{ egress: ['10.0.0.0/8'] }, /webhooks: egress must be a text/],
    [{ retry: { ...RETRY_PROFILES.standard, maxAttempts: 0 } }, /maxAttempts/],
    [{ eventTypes: {} }, /event type/],
  ] as const) {
    assert.throws(() => webhooks(settings as never), message);
  }
});
