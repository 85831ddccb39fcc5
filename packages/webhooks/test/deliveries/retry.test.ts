import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookRetryProfile } from '../../src/deliveries/retry.ts';
import {
  checkWebhookRetryProfile,
  isDisabling,
  nextDeliveryAt,
  RETRY_PROFILES,
} from '../../src/deliveries/retry.ts';

const START = new Date('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const { standard, resilient } = RETRY_PROFILES;

/** Seconds at which attempts start when each fails immediately. */
function timetable(profile: WebhookRetryProfile): number[] {
  const seconds: number[] = [];
  let next: Date | null = START;
  while (next) {
    seconds.push((next.getTime() - START.getTime()) / 1_000);
    next = nextDeliveryAt(profile, seconds.length, START, next);
  }
  return seconds;
}

const tables: Array<[name: string, profile: WebhookRetryProfile, seconds: number[]]> = [
  ['the standard values', standard, [0, 1, 3, 7, 15]],
  ['a higher threshold', { ...standard, disableAfterFailures: 9 }, [0, 1, 3, 7, 15, 31]],
  [
    'more retries than delays',
    { ...standard, disableAfterFailures: 9, maxAttempts: 9 },
    [0, 1, 3, 7, 15, 31, 63, 95, 127],
  ],
  ['fewer retries', { ...standard, maxAttempts: 3 }, [0, 1, 3]],
  ['no retries', { ...standard, maxAttempts: 1 }, [0]],
  ['a lower threshold', { ...standard, disableAfterFailures: 1 }, [0]],
  ['a short maximum age', { ...standard, maxAgeMs: 7_000 }, [0, 1, 3, 7]],
  ['a maximum age between two attempts', { ...standard, maxAgeMs: 6_999 }, [0, 1, 3]],
];
for (const [name, profile, seconds] of tables) {
  test(`a retry profile with ${name} schedules attempts at ${seconds.join(', ')} s`, () => {
    assert.deepEqual(timetable(profile), seconds);
  });
}

test('the delay of a retry counts from the end of the failed attempt', () => {
  const failedAt = new Date(START.getTime() + 30_000);
  assert.deepEqual(
    nextDeliveryAt(standard, 1, START, failedAt),
    new Date(failedAt.getTime() + 1_000),
  );
});

test('the resilient profile spreads ten attempts over three days and disables the webhook after the last', () => {
  const seconds = timetable(resilient);
  assert.equal(seconds.length, 10);
  const lastMs = (seconds.at(-1) ?? 0) * 1_000;
  assert.ok(lastMs > 71 * HOUR_MS && lastMs <= 72 * HOUR_MS, `${lastMs} ms`);
  assert.deepEqual([isDisabling(resilient, 9), isDisabling(resilient, 10)], [false, true]);
});

test('the standard profile disables the webhook at the fifth failure', () => {
  assert.deepEqual([isDisabling(standard, 4), isDisabling(standard, 5)], [false, true]);
});

const bad: Array<[setting: keyof WebhookRetryProfile & string, value: number | number[]]> = [
  ['delaysMs', []],
  ['delaysMs', [1, -1]],
  ['delaysMs', [Number.NaN]],
  ['maxAttempts', 0],
  ['maxAttempts', 1.5],
  ['disableAfterFailures', 0],
  ['maxAgeMs', Number.POSITIVE_INFINITY],
];
for (const [setting, value] of bad) {
  test(`a retry profile with ${setting} = ${JSON.stringify(value)} is refused`, () => {
    const profile = { ...standard, [setting]: value };
    assert.throws(() => checkWebhookRetryProfile(profile), {
      name: 'RangeError',
      message: new RegExp(setting),
    });
  });
}

test('the built-in retry profiles are accepted', () => {
  for (const profile of Object.values(RETRY_PROFILES)) {
    assert.equal(checkWebhookRetryProfile(profile), profile);
  }
});
