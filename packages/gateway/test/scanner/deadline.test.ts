import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanSignal } from '@probity/pipeline';
import { ScanCanceledError } from '@probity/pipeline';
import { createTestClock } from '@probity/test-support';
import { withDeadline } from '../../src/scanner/deadline.ts';

/** Ends as a scan that looks at its signal does. */
async function look(signal: ScanSignal): Promise<string> {
  if (signal.aborted) throw new ScanCanceledError([], signal.reason);
  return 'done';
}

function waitFor(signal: ScanSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = () => reject(new ScanCanceledError([], signal.reason));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

const LATE = { kind: 'unavailable', status: 504 };

function createLimit() {
  const clock = createTestClock();
  return { clock, limit: { clock, limitMs: 50 } };
}

test('a scan that never waits sets no timer', async () => {
  const { clock, limit } = createLimit();
  const { signal } = new AbortController();
  const scan = withDeadline(limit, { signal }, async (own) => {
    assert.equal(own.aborted, false);
    return clock.pendingTimers;
  });
  assert.equal(await scan, 0);
});

test('a scan that looks at its signal behind the time is late', async () => {
  const { clock, limit } = createLimit();
  const scan = withDeadline(limit, {}, async (signal) => {
    await clock.advance(50);
    return look(signal);
  });
  await assert.rejects(scan, LATE);
});

test('a scan that waits is late at the time, which counts from its beginning', async () => {
  const { clock, limit } = createLimit();
  let isOver = false;
  const scan = withDeadline(limit, {}, async (signal) => {
    await clock.advance(30);
    return waitFor(signal);
  });
  const over = assert.rejects(scan, LATE).then(() => {
    isOver = true;
  });
  while (clock.pendingTimers === 0) await new Promise(setImmediate);
  await clock.advance(19);
  await new Promise(setImmediate);
  assert.equal(isOver, false);
  await clock.advance(1);
  await over;
  assert.equal(clock.pendingTimers, 0);
});

test('a scan that waits is late behind the time, though its timer has not been called', async () => {
  const clock = createTestClock();
  let nowMs = 0;
  const limit = { clock: { ...clock, monotonicMs: () => nowMs }, limitMs: 50 };
  const scan = withDeadline(limit, {}, async (signal) => {
    signal.addEventListener('abort', () => undefined);
    assert.equal(signal.aborted, false);
    nowMs = 50;
    return look(signal);
  });
  await assert.rejects(scan, LATE);
});

test('a listener that is added behind the time is called', async () => {
  const { clock, limit } = createLimit();
  const scan = withDeadline(limit, {}, async (signal) => {
    await clock.advance(50);
    return new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new ScanCanceledError([], signal.reason)));
    });
  });
  const over = assert.rejects(scan, LATE);
  while (clock.pendingTimers === 0) await new Promise(setImmediate);
  await clock.advance(1);
  await over;
});

test('a timer is canceled with the end of a scan that waited', async () => {
  const { clock, limit } = createLimit();
  await withDeadline(limit, {}, async (signal) => {
    signal.addEventListener('abort', () => undefined);
    assert.equal(clock.pendingTimers, 1);
  });
  assert.equal(clock.pendingTimers, 0);
});

for (const [when, work] of [
  ['before a scan', look],
  ['while it waits', waitFor],
] as const) {
  test(`a caller that goes ${when} cancels it`, async () => {
    const { limit } = createLimit();
    const caller = new AbortController();
    const reason = new Error('gone');
    if (work === look) caller.abort(reason);
    const scan = withDeadline<unknown>(limit, caller, work);
    caller.abort(reason);
    await assert.rejects(scan, (error) => {
      assert.ok(error instanceof ScanCanceledError);
      assert.equal(error.cause, reason);
      return true;
    });
  });
}
