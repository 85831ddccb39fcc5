import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createRepeating } from '../../src/lifecycle/repeating.ts';

test('a repeating task runs at each interval between start and stop', async () => {
  const clock = createTestClock();
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const repeating = createRepeating({ clock, intervalMs: 1_000, work });
  await clock.advance(5_000);
  await repeating.start();
  await repeating.start();
  await clock.advance(999);
  assert.equal(runs, 0);
  await clock.advance(1);
  assert.equal(runs, 1);
  await clock.advance(1_000);
  assert.equal(runs, 2);
  await repeating.stop();
  await clock.advance(5_000);
  assert.equal(runs, 2);
});

test('runs of a repeating task do not overlap; stop() signals and waits for the current run', async () => {
  const clock = createTestClock();
  let finish: () => void = () => undefined;
  let begun = 0;
  let heard: boolean | undefined;
  const repeating = createRepeating({
    clock,
    intervalMs: 1_000,
    isFirstAtOnce: true,
    async work(isRunning) {
      begun += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      heard = isRunning();
    },
  });
  await repeating.start();
  assert.equal(begun, 1);
  await clock.advance(5_000);
  assert.equal(begun, 1);
  let isStopped = false;
  const stopping = repeating.stop().then(() => {
    isStopped = true;
  });
  await clock.advance(0);
  assert.equal(isStopped, false);
  finish();
  await stopping;
  assert.equal(heard, false);
  await clock.advance(5_000);
  assert.equal(begun, 1);
});
