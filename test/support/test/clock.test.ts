import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestClock } from '../src/clock.ts';

test('a clock does not move until it is advanced', async () => {
  const clock = createTestClock(1_000);
  assert.equal(clock.now().getTime(), 1_000);
  await clock.advance(250);
  assert.equal(clock.now().getTime(), 1_250);
  assert.equal(clock.monotonicMs(), 250);
});

test('each timer of the clock fires at its own time', async () => {
  const clock = createTestClock(0);
  const fired: number[] = [];
  for (const delayMs of [30, 10, 20]) {
    clock.setTimer(() => fired.push(clock.monotonicMs()), delayMs);
  }
  await clock.advance(25);
  assert.deepEqual(fired, [10, 20]);
  assert.equal(clock.pendingTimers, 1);
});

test('timers fire in the order of due time, then of setting', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 12 }), async (delays) => {
      const clock = createTestClock(0);
      const fired: [number, number][] = [];
      delays.forEach((delayMs, index) => {
        clock.setTimer(() => fired.push([clock.monotonicMs(), index]), delayMs);
      });
      await clock.advance(50);
      const expected = delays.map((delayMs, index): [number, number] => [delayMs, index]);
      expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      assert.deepEqual(fired, expected);
    }),
    { numRuns: 50 },
  ));

test('a canceled timer of the clock does not fire', async () => {
  const clock = createTestClock();
  let fired = false;
  const timer = clock.setTimer(() => {
    fired = true;
  }, 5);
  timer.cancel();
  await clock.advance(10);
  assert.equal(fired, false);
  assert.equal(clock.pendingTimers, 0);
});

test('a loop that sleeps by timers continues within one advance', async () => {
  const clock = createTestClock(0);
  const turns: number[] = [];
  const loop = async (): Promise<void> => {
    while (turns.length < 4) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, 10));
      await new Promise((resolve) => setImmediate(resolve));
      turns.push(clock.monotonicMs());
    }
  };
  const done = loop();
  await clock.advance(40);
  await done;
  assert.deepEqual(turns, [10, 20, 30, 40]);
});

test('a clock rejects a negative advance', async () => {
  const clock = createTestClock();
  await assert.rejects(clock.advance(-1), RangeError);
  await assert.rejects(clock.advance(Number.NaN), RangeError);
});
