import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RetryProfile } from '../../src/jobs/retry.ts';
import {
  checkRetryProfile,
  exponentialDelays,
  JOB_RETRY,
  nextAttemptAt,
} from '../../src/jobs/retry.ts';

const START = new Date('2026-01-01T00:00:00Z');
const none = (size: number) => new Uint8Array(size);
const most = (size: number) => new Uint8Array(size).fill(255);

/** Seconds at which attempts begin when each fails at once. */
function timetable(profile: RetryProfile, random = none): number[] {
  const seconds: number[] = [];
  let next: Date | null = START;
  while (next) {
    seconds.push((next.getTime() - START.getTime()) / 1_000);
    next = nextAttemptAt(profile, seconds.length, next, random);
  }
  return seconds;
}

describe('retry profiles', () => {
  const tables: ReadonlyArray<readonly [string, RetryProfile, readonly number[]]> = [
    ['the last wait repeats', { delaysMs: [1_000, 3_000], maxAttempts: 5 }, [0, 1, 4, 7, 10]],
    ['one attempt', { delaysMs: [1_000], maxAttempts: 1 }, [0]],
    ['no wait', { delaysMs: [0], maxAttempts: 3 }, [0, 0, 0]],
  ];
  for (const [name, profile, seconds] of tables) {
    test(`${name}: attempts at ${seconds.join(', ')} s`, () => {
      assert.deepEqual(timetable(profile), seconds);
    });
  }

  test('the profile of jobs makes 20 attempts over about ten hours', () => {
    const slowest = timetable(JOB_RETRY);
    assert.deepEqual(slowest.slice(0, 6), [0, 5, 15, 35, 75, 155]);
    assert.equal(slowest.length, 20);
    assert.ok((slowest.at(-1) ?? 0) < 11 * 3_600, `${slowest.at(-1)} s`);
    const quickest = timetable(JOB_RETRY, most);
    assert.ok((quickest.at(-1) ?? 0) > 8 * 3_600, `${quickest.at(-1)} s`);
  });

  test('jitter shortens a delay by at most its share', () => {
    const profile = { delaysMs: [10_000], maxAttempts: 2, jitter: 0.5 };
    const waitMs = (random: typeof none) =>
      (nextAttemptAt(profile, 1, START, random)?.getTime() ?? 0) - START.getTime();
    assert.deepEqual([waitMs(none), waitMs(most)], [10_000, 5_000]);
  });

  test('a retry profile without jitter does not call random', () => {
    const refuse = () => {
      throw new Error('asked');
    };
    const profile = { delaysMs: [1_000], maxAttempts: 2 };
    assert.deepEqual(nextAttemptAt(profile, 1, START, refuse), new Date(START.getTime() + 1_000));
  });

  test('exponential delays double up to the maximum', () => {
    assert.deepEqual(exponentialDelays(1, 10), [1, 2, 4, 8, 10]);
    assert.deepEqual(exponentialDelays(8, 8), [8]);
  });

  const bad: ReadonlyArray<readonly [keyof RetryProfile, number | number[]]> = [
    ['delaysMs', []],
    ['delaysMs', [1, -1]],
    ['delaysMs', [Number.NaN]],
    ['delaysMs', [Number.POSITIVE_INFINITY]],
    ['maxAttempts', 0],
    ['maxAttempts', 1.5],
    ['jitter', 1],
    ['jitter', -0.1],
    ['jitter', Number.NaN],
  ];
  for (const [setting, value] of bad) {
    test(`${setting} = ${JSON.stringify(value)} is refused`, () => {
      const profile = { ...JOB_RETRY, [setting]: value };
      const expected = { name: 'RangeError', message: new RegExp(`^${setting}`) };
      assert.throws(() => checkRetryProfile(profile), expected);
    });
  }
});
