import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '@probity/core';
import { createOpenApiDocument, generalErrors } from '@probity/core/koa';
import { z } from 'zod';
import { PROBITY_EVENTS, webhooks } from '../../src/index.ts';
import { webhookEndpoints } from '../../src/koa.ts';
import { serve } from '../api.ts';
import { createWorld } from '../world.ts';

const eventTypes = {
  'order.shipped': {
    description: 'An order has left the warehouse.',
    example: { orderId: 'ord_1' },
  },
  'order.lost': { description: 'An order was lost.', example: { orderId: 'ord_1' } },
};
const url = 'https://public.example/hook';

test('the default catalog has every event type that Probity emits', () => {
  assert.deepEqual(Object.keys(PROBITY_EVENTS), [...EVENT_TYPES]);
});

test('a schema that is not of zod and an example that its schema rejects are refused at the start', () => {
  const schema = z.strictObject({ a: z.string() });
  for (const [definition, message] of [
    [{ schema, example: { foo: 1 } }, /order.lost: example: [\s\S]*foo/],
    [{ schema: { type: 'object' }, example: {} }, /order.lost: schema must be a schema of zod 4/],
    [{}, /order.lost: example must be an object/],
  ] as const) {
    const types = { 'order.lost': { description: 'An order was lost.', ...definition } };
    assert.throws(() => webhooks({ eventTypes: types as never }), message);
  }
});

test('webhooks accept only event types of the catalog, over HTTP and in the service', async (t) => {
  const world = await createWorld(t, { eventTypes });
  const call = await serve(t, world);
  const created = await call('POST', '/webhooks', { url, events: ['order.lost'] });
  assert.equal(created.status, 201);
  const refused = await call('POST', '/webhooks', { url, events: ['alert.created'] });
  const details = [{ field: 'events.0', message: 'must be one of order.shipped, order.lost' }];
  assert.deepEqual([refused.status, refused.body.error.details], [422, details]);
  const failure = { kind: 'validation_failed', details };
  const { webhooks: service, context } = world;
  await assert.rejects(service.create(context, { url, events: ['alert.created'] }), failure);
  const update = service.update(context, created.body.data.id, { events: ['alert.created'] });
  await assert.rejects(update, failure);
});

test('the OpenAPI document lists the event types of the catalog with their descriptions', async (t) => {
  const world = await createWorld(t, { eventTypes });
  const group = { prefix: '', errorFormat: generalErrors, endpoints: webhookEndpoints(world) };
  const document = createOpenApiDocument({ title: 'Test', version: '1.0.0' }, [group]);
  const { schemas } = document.components as { schemas: Record<string, Record<string, unknown>> };
  assert.deepEqual(schemas.WebhookEventType, {
    type: 'string',
    enum: ['order.shipped', 'order.lost'],
    description:
      '- `order.shipped`: An order has left the warehouse.\n- `order.lost`: An order was lost.',
  });
});

for (const [title, catalog, message] of [
  ['without any type', {}, /at least one event type/],
  [
    'with a type that is not noun.verb',
    { ...eventTypes, Shipped: eventTypes['order.lost'] },
    /eventTypes: Shipped must be of the form/,
  ],
] as const) {
  test(`an event catalog ${title} is rejected`, async (t) => {
    await assert.rejects(createWorld(t, { eventTypes: catalog }), message);
  });
}
