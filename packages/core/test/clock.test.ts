import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { sleep, systemClock } from '../src/clock.ts';

test('sleep resolves after its delay, not before', async () => {
  const clock = createTestClock();
  let awake = false;
  const sleeping = sleep(clock, 1_000).then(() => {
    awake = true;
  });
  await clock.advance(999);
  assert.equal(awake, false);
  await clock.advance(1);
  await sleeping;
  assert.equal(awake, true);
});

test('an abort ends sleep at once and cancels the timer', async () => {
  const clock = createTestClock();
  const abort = new AbortController();
  const sleeping = sleep(clock, 1_000, abort.signal);
  assert.equal(clock.pendingTimers, 1);
  abort.abort();
  await sleeping;
  assert.equal(clock.pendingTimers, 0);
});

test('sleep with an already aborted signal sets no timer', async () => {
  const clock = createTestClock();
  await sleep(clock, 1_000, AbortSignal.abort());
  assert.equal(clock.pendingTimers, 0);
});

test('the system clock fires a timer once, and never after it was canceled', async () => {
  const fired: string[] = [];
  systemClock.setTimer(() => fired.push('cancelled'), 1).cancel();
  // The timer does not keep the process alive, so something else must.
  const alive = setInterval(() => undefined, 1_000);
  await new Promise<void>((resolve) => {
    systemClock.setTimer(() => {
      fired.push('fired');
      resolve();
    }, 5);
  });
  clearInterval(alive);
  assert.deepEqual(fired, ['fired']);
});

test("the system clock's monotonic time never goes back", () => {
  const times = Array.from({ length: 1_000 }, () => systemClock.monotonicMs());
  assert.ok(times.every((time, index) => index === 0 || time >= (times[index - 1] as number)));
  const earliest = Date.now() - 1_000;
  const now = systemClock.now().getTime();
  assert.ok(now >= earliest && now <= Date.now() + 1_000);
});
