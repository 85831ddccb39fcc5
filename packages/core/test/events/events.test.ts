import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { EVENT_TYPES } from '../../src/contract/events.ts';
import { createEmit } from '../../src/events/emit.ts';
import { isEventType } from '../../src/events/events.ts';
import { createJobSignal } from '../../src/jobs/signal.ts';
import { testContext } from '../../src/testing/fixtures.ts';
import { START } from '../../src/testing/records.ts';

test('an event belongs to the organization and the request of the call that caused it', async () => {
  const context = testContext({ organizationId: 'org_1', memberId: 'mem_1' });
  const data = { certificationId: 'crt_1', reason: 'wrong' };
  const appended: unknown[] = [];
  const outbox = { append: async (event: unknown) => void appended.push(event) };
  const emit = createEmit({
    ids: { next: (prefix) => `${prefix}_1` },
    clock: createTestClock(START.getTime()),
  });
  await emit({ outbox }, context, 'certification.revoked', data);
  const event = {
    id: 'evt_1',
    type: 'certification.revoked',
    data,
    createdAt: START,
    organizationId: 'org_1',
    requestId: context.requestId,
  };
  assert.deepEqual(appended, [event]);
});

test('an event type consists of lower-case words joined by dots', () => {
  for (const type of ['order.shipped', 'a.b', 'order_line.item.moved2'])
    assert.ok(isEventType(type));
  const others = ['order', 'Order.shipped', 'order.', '.shipped', 'order shipped', '', 'a.2b'];
  for (const other of [...others, `a.${'b'.repeat(99)}`]) assert.equal(isEventType(other), false);
});

test('event types are nouns with a verb in the past, each listed once', () => {
  assert.equal(new Set(EVENT_TYPES).size, EVENT_TYPES.length);
  for (const type of EVENT_TYPES) assert.match(type, /^[a-z]+\.[a-z]+(?:ed)$/);
});

test('the job signal reaches the listeners of its queue with the tenants, until they unsubscribe', () => {
  const signal = createJobSignal();
  const heard: string[] = [];
  const listen = (queue: string, name: string) =>
    signal.subscribe(queue, (tenantIds) => heard.push(`${name} ${[...tenantIds]}`));
  const job = (queue: string, tenantId: string) => ({ queue, tenantId });
  const leave = listen('a', 'first');
  listen('a', 'second');
  listen('b', 'other');
  signal.notify([job('a', 'x'), job('b', 'z'), job('a', 'y'), job('a', 'x')]);
  assert.deepEqual(heard.splice(0), ['first x,y', 'second x,y', 'other z']);
  leave();
  leave();
  signal.notify([job('a', 'x')]);
  signal.notify([job('nobody', 'x')]);
  assert.deepEqual(heard, ['second x']);
});
