import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialResult } from '@probity/core';
import {
  afterAttempt,
  afterUnsentAttempt,
  isSuccess,
  toAttempt,
} from '../../src/deliveries/attempt.ts';
import { RETRY_PROFILES } from '../../src/deliveries/retry.ts';
import type { Delivery } from '../../src/deliveries/types.ts';

const AT = new Date('2026-01-01T00:00:00Z');
const ENDED_AT = new Date('2026-01-01T00:00:02Z');

function response(status: number, body: Buffer = Buffer.alloc(0), truncated = false): DialResult {
  const address = '192.0.2.1';
  return { kind: 'response', status, headers: {}, body, truncated, durationMs: 7, address };
}

const pending: Delivery = {
  id: 'dlv_1',
  organizationId: 'org_1',
  activation: 0,
  webhookId: 'whk_1',
  eventId: 'evt_1',
  replayId: null,
  eventType: 'alert.created',
  isTest: false,
  status: 'pending',
  attempts: [],
  attemptCount: 0,
  firstAttemptAt: null,
  nextAttemptAt: AT,
  pendingSince: AT,
  createdAt: AT,
};

const statuses: Array<[number, boolean]> = [
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [302, false],
  [304, false],
  [400, false],
  [410, false],
  [500, false],
];
for (const [status, expected] of statuses) {
  test(`an attempt answered with ${status} is ${expected ? 'a success' : 'a failure'}`, () => {
    assert.equal(isSuccess(toAttempt(1, AT, response(status))), expected);
  });
}

const bodies: Array<[name: string, body: Buffer, truncated: boolean, text: string]> = [
  ['valid text unchanged', Buffer.from('grün'), false, 'grün'],
  ['no partial character at the cut', Buffer.from('grün').subarray(0, 3), true, 'gr'],
  ['U+FFFD for bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), false, 'a\ufffdb'],
  ['an empty text for an empty body', Buffer.alloc(0), false, ''],
];
for (const [name, body, truncated, text] of bodies) {
  test(`an attempt stores ${name}`, () => {
    assert.equal(toAttempt(1, AT, response(200, body, truncated)).responseBody, text);
  });
}

test('an attempt without a response stores the reason', () => {
  const result: DialResult = { kind: 'error', code: 'tls', message: 'No trust', durationMs: 3 };
  assert.deepEqual(toAttempt(2, AT, result), {
    number: 2,
    at: AT,
    durationMs: 3,
    responseStatus: null,
    responseBody: null,
    error: 'tls: No trust',
  });
});

test('a successful attempt ends the delivery', () => {
  const attempt = toAttempt(1, AT, response(200));
  const { delivery, disablesWebhook } = afterAttempt(
    pending,
    attempt,
    ENDED_AT,
    RETRY_PROFILES.standard,
  );
  assert.deepEqual(delivery, {
    ...pending,
    status: 'delivered',
    attempts: [attempt],
    attemptCount: 1,
    firstAttemptAt: AT,
    nextAttemptAt: null,
  });
  assert.equal(disablesWebhook, false);
});

test('a failed attempt schedules the next one, counted from its end', () => {
  const attempt = toAttempt(1, AT, response(500));
  const { delivery, disablesWebhook } = afterAttempt(
    pending,
    attempt,
    ENDED_AT,
    RETRY_PROFILES.standard,
  );
  assert.equal(delivery.status, 'pending');
  assert.deepEqual(delivery.nextAttemptAt, new Date(ENDED_AT.getTime() + 1_000));
  assert.equal(disablesWebhook, false);
});

test('the fifth attempt delivers when it succeeds and disables the webhook when it fails', () => {
  const tried = { ...pending, attemptCount: 4, firstAttemptAt: AT };
  const after = (status: number) =>
    afterAttempt(tried, toAttempt(5, AT, response(status)), ENDED_AT, RETRY_PROFILES.standard);
  assert.deepEqual([after(200).delivery.status, after(200).disablesWebhook], ['delivered', false]);
  assert.deepEqual([after(500).delivery.status, after(500).disablesWebhook], ['failed', true]);
});

test('an attempt that no name server answered for is repeated for 72 hours and disables nothing', () => {
  const result: DialResult = {
    kind: 'error',
    code: 'dns_unavailable',
    message: 'No answer within 5000 ms',
    durationMs: 5_000,
  };
  const attempt = toAttempt(1, AT, result);
  let delivery = pending;
  let seconds = 5;
  const delays: number[] = [];
  while (delivery.nextAttemptAt) {
    const endedAt = new Date(AT.getTime() + seconds * 1_000);
    const outcome = afterUnsentAttempt(delivery, attempt, endedAt, RETRY_PROFILES.standard);
    assert.equal(outcome.disablesWebhook, false);
    delivery = outcome.delivery;
    assert.equal(delivery.attemptCount, 0);
    if (!delivery.nextAttemptAt) break;
    assert.deepEqual([delivery.status, delivery.attempts], ['pending', []]);
    delays.push((delivery.nextAttemptAt.getTime() - endedAt.getTime()) / 1_000);
    seconds += (delays.at(-1) ?? 0) + 5;
  }
  assert.deepEqual(delays.slice(0, 4), [5, 7.5, 13.75, 23.125]);
  assert.equal(Math.max(...delays), 1_800);
  assert.ok(seconds > 71 * 3_600 && seconds <= 72 * 3_600);
  assert.ok(delays.length < 170);
  assert.deepEqual([delivery.status, delivery.attempts], ['failed', [attempt]]);
});
