import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { EventCatalog } from '../../src/index.ts';
import { PROBITY_EVENTS } from '../../src/index.ts';
import { serve } from '../api.ts';
import { createWorld } from '../world.ts';

const eventTypes: EventCatalog = {
  ...PROBITY_EVENTS,
  'order.shipped': {
    description: 'An order has left the warehouse.',
    schema: z.strictObject({ orderId: z.string(), boxes: z.int(), sentAt: z.iso.datetime() }),
    example: { orderId: 'ord_1', boxes: 2, sentAt: '2026-01-01T00:00:00.000Z' },
  },
  'order.lost': { description: 'An order was lost.', example: { orderId: 'ord_1' } },
};

test('GET /webhooks/event-types lists every type with the schema of its data and a sample', async (t) => {
  const call = await serve(t, await createWorld(t, { eventTypes }));
  const { status, body } = await call('GET', '/webhooks/event-types');
  assert.equal(status, 200);
  const types = body.data.map(({ type }: { type: string }) => type);
  assert.deepEqual(types, Object.keys(eventTypes));
  const page = { total: 9, limit: 50, offset: 0, has_more: false };
  assert.deepEqual({ ...body, data: undefined }, { data: undefined, ...page });
  const [shipped, lost] = body.data.slice(-2);
  assert.deepEqual(shipped, {
    type: 'order.shipped',
    description: 'An order has left the warehouse.',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        orderId: { type: 'string' },
        boxes: { type: 'integer' },
        sentAt: { type: 'string', format: 'date-time' },
      },
      required: ['orderId', 'boxes', 'sentAt'],
    },
    sample: eventTypes['order.shipped']?.example,
  });
  assert.equal(lost.schema.type, 'object');
  assert.equal(lost.schema.required, undefined);
});

test('a sample of an event type fits the schema beside it', async (t) => {
  const call = await serve(t, await createWorld(t, { eventTypes }));
  const { body } = await call('GET', '/webhooks/event-types');
  for (const { type, schema, sample } of body.data) {
    assert.deepEqual(z.fromJSONSchema(schema).parse(sample), sample, type);
  }
});

test('event types are listed in pages, to every role', async (t) => {
  const call = await serve(t, await createWorld(t, { eventTypes }));
  const path = '/webhooks/event-types?limit=2&offset=1';
  const { status, body } = await call('GET', path, undefined, 'viewer');
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.map(({ type }: { type: string }) => type),
    ['alert.resolved', 'correction.deployed'],
  );
  assert.deepEqual([body.total, body.has_more], [9, true]);
});
