import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { Taken } from '../../src/limits/buckets.ts';
import type { LeaseRequest, LeaseReturn } from '../../src/limits/lease-part.ts';
import { createLeasePart } from '../../src/limits/lease-part.ts';

const [FIRST, SECOND] = [1, 2];

/** A part over buckets that gain next to nothing, with a burst of 100 for each client. */
function createWorld({ perSecond = 1_000_000, earlyMs = 0 } = {}) {
  const clock = createTestClock();
  const setTimer: typeof clock.setTimer = (callback, ms) => clock.setTimer(callback, ms - earlyMs);
  const part = createLeasePart({ ...clock, setTimer }, () => ({
    ...{ enabled: true, requests_per_second: perSecond, rate_limit_exceeded_status: 429 },
    per_client: { requests_per_minute: 1, burst_size: 100 },
  }));
  const answers: Taken[] = [];
  return {
    clock,
    answers,
    async ask(worker: number, request: LeaseRequest) {
      const answered = part.answer?.(request, worker) as Promise<Taken>;
      void answered.then((taken) => answers.push(taken));
      await clock.advance(0);
    },
    async giveBack(worker: number, given: LeaseReturn) {
      part.take?.(given, worker);
      await clock.advance(0);
    },
    leave: (worker: number) => part.leave?.(worker),
    counts: () => answers.map(({ count }) => count),
  };
}

test('a client without requests left is refused at once, whatever other clients have leased', async () => {
  const { ask, counts } = createWorld();
  await ask(SECOND, { client: 'other', waiting: 1, expected: 10 });
  await ask(FIRST, { client: 'spent', waiting: 100, expected: 0 });
  await ask(FIRST, { client: 'spent', waiting: 1, expected: 0 });
  assert.deepEqual(counts(), [11, 100, 0]);
});

test('a client waits for what another process has leased for it, and gets what comes back', async () => {
  const { ask, giveBack, counts } = createWorld();
  await ask(SECOND, { client: 'a', waiting: 60, expected: 20 });
  await ask(FIRST, { client: 'a', waiting: 30, expected: 0 });
  assert.deepEqual(counts(), [80]);
  await giveBack(SECOND, { client: 'other', leased: 1, unused: 1 });
  assert.deepEqual(counts(), [80]);
  await giveBack(SECOND, { client: 'a', leased: 20, unused: 5 });
  assert.deepEqual(counts(), [80, 25]);
});

test('where all clients together have too few left, a client waits for what others have leased', async () => {
  const { ask, giveBack, counts } = createWorld({ perSecond: 10 });
  await ask(SECOND, { client: 'a', waiting: 4, expected: 3 });
  await ask(FIRST, { client: 'b', waiting: 4, expected: 0 });
  assert.deepEqual(counts(), [7]);
  await giveBack(SECOND, { client: 'a', leased: 3, unused: 3 });
  assert.deepEqual(counts(), [7, 4]);
});

test('a process that does not give back is waited for a second, also where a timer is early', async () => {
  const { clock, ask, counts } = createWorld({ earlyMs: 0.5 });
  await ask(SECOND, { client: 'a', waiting: 60, expected: 20 });
  await ask(FIRST, { client: 'a', waiting: 30, expected: 0 });
  await clock.advance(998);
  assert.deepEqual(counts(), [80]);
  await clock.advance(3);
  assert.deepEqual(counts(), [80, 20]);
});

test('what a process that has ended had leased is waited for no longer', async () => {
  const { clock, ask, leave, counts } = createWorld();
  await ask(SECOND, { client: 'a', waiting: 60, expected: 20 });
  await ask(FIRST, { client: 'a', waiting: 30, expected: 0 });
  leave(SECOND);
  await clock.advance(0);
  assert.deepEqual(counts(), [80, 20]);
});
