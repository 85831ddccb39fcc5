import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve } from '../api.ts';
import { createWorld } from '../world.ts';

const DATA = { alertId: 'alr_1', severity: 'high', type: 'pii', message: 'found ssn' } as const;

test('GET /events lists events newest first, by time, without a webhook', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { webhooks, context } = world;
  const created = await webhooks.publish(context, { type: 'alert.created', data: DATA });
  const data = { alertId: 'alr_1', resolution: 'fixed', resolvedBy: 'mem_1' };
  const resolved = await webhooks.publish(context, { type: 'alert.resolved', data });
  const wire = ({ id, type, createdAt }: typeof created) => {
    return { id, type, timestamp: createdAt.toISOString(), test: false };
  };
  const all = await call('GET', '/events', undefined, 'viewer');
  assert.equal(all.status, 200);
  assert.deepEqual(all.body.data, [wire(resolved), wire(created)]);
  assert.deepEqual([all.body.total, all.body.has_more], [2, false]);
  const until = encodeURIComponent(created.createdAt.toISOString());
  const before = await call('GET', `/events?until=${until}`);
  assert.deepEqual(before.body.data, []);
  const foreign = await call('GET', '/events', undefined, 'stranger');
  assert.deepEqual(foreign.body.data, []);
});

test('an event is read with its data by admins of its organization alone', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { id } = await world.webhooks.publish(world.context, { type: 'alert.created', data: DATA });
  const path = `/events/${id}`;
  const { status, body } = await call('GET', path, undefined, 'admin');
  assert.deepEqual([status, body.data.id, body.data.data], [200, id, DATA]);
  assert.equal((await call('GET', path, undefined, 'editor')).status, 403);
  assert.equal((await call('GET', path, undefined, 'stranger')).status, 404);
  assert.equal((await call('GET', '/events/evt_none')).status, 404);
});

test('a filter of events that is not known is refused', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  for (const query of [
    'eventType=alert.created',
    'since=yesterday',
    'until=2026-01-01',
    'types=a',
  ]) {
    const { status, body } = await call('GET', `/events?${query}`);
    assert.ok(status === 422 || status === 400, query);
    assert.equal(body.error.details[0].field, query.split('=')[0]);
  }
  const list = world.webhooks.listEvents(
    world.context,
    { since: 'yesterday' as never },
    { limit: 1, offset: 0 },
  );
  await assert.rejects(list, { kind: 'validation_failed' });
});
