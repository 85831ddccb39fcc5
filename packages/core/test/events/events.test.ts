import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '../../src/contract/events.ts';
import { eventOf } from '../../src/events/events.ts';
import { createJobSignal } from '../../src/jobs/signal.ts';
import { testContext } from '../../src/testing/fixtures.ts';
import { START } from '../../src/testing/records.ts';

test('an event belongs to the organization and the request of the call that caused it', () => {
  const context = testContext({ organizationId: 'org_1', memberId: 'mem_1' });
  const data = { certificationId: 'crt_1', reason: 'wrong' };
  const event = eventOf(context, {
    id: 'evt_1',
    type: 'certification.revoked',
    data,
    createdAt: START,
  });
  assert.deepEqual(event, {
    id: 'evt_1',
    type: 'certification.revoked',
    data,
    createdAt: START,
    organizationId: 'org_1',
    requestId: context.requestId,
  });
});

test('event types are nouns with a verb in the past, each listed once', () => {
  assert.equal(new Set(EVENT_TYPES).size, EVENT_TYPES.length);
  for (const type of EVENT_TYPES) assert.match(type, /^[a-z]+\.[a-z]+(?:ed)$/);
});

test('a signal reaches the subscribers of its queue until they leave', () => {
  const signal = createJobSignal();
  const heard: string[] = [];
  const leave = signal.subscribe('a', () => heard.push('first'));
  signal.subscribe('a', () => heard.push('second'));
  signal.subscribe('b', () => heard.push('other queue'));
  signal.notify('a');
  leave();
  leave();
  signal.notify('a');
  signal.notify('nobody');
  assert.deepEqual(heard, ['first', 'second', 'second']);
});
