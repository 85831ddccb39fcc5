import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { RetentionRule } from '../../src/retention/retention.ts';
import { createRetention } from '../../src/retention/retention.ts';

/** A rule over numbered records, each made at its number in milliseconds since 1970. */
function ruleOver(records: number[], given: Partial<RetentionRule> = {}): RetentionRule {
  return {
    name: 'records',
    olderThanMs: 0,
    async deleteBatch(before, limit) {
      const old = records.filter((made) => made < before.getTime()).slice(0, limit);
      for (const made of old) records.splice(records.indexOf(made), 1);
      return old.length;
    },
    ...given,
  };
}

test('retention removes older records in batches and keeps the rest', async () => {
  const clock = createTestClock();
  const now = clock.now().getTime();
  const records = [now - 3, now - 2, now - 1, now];
  const limits: number[] = [];
  const rule = ruleOver(records, { olderThanMs: 1 });
  const counting = {
    ...rule,
    deleteBatch(before: Date, limit: number) {
      limits.push(limit);
      return rule.deleteBatch(before, limit);
    },
  };
  const rules = [counting, ruleOver([], { name: 'none' })];
  const retention = createRetention({ rules, clock, batchSize: 1 });
  assert.deepEqual(await retention.run(), { records: 2, none: 0 });
  assert.deepEqual(records, [now - 1, now]);
  assert.deepEqual(limits, [1, 1, 1]);
});

test('retention pauses after each batch for as long as the batch took', async () => {
  const clock = createTestClock();
  const rests: number[] = [];
  const records = [1, 2];
  const plain = ruleOver(records);
  const slow = {
    ...plain,
    async deleteBatch(before: Date, limit: number) {
      await clock.advance(records.length * 10);
      return plain.deleteBatch(before, limit);
    },
  };
  const pause = async (durationMs: number) => rests.push(durationMs);
  await createRetention({ rules: [slow], clock, batchSize: 1, pause }).run();
  assert.deepEqual(rests, [20, 10]);
});

test('a failing retention rule does not stop the others, and its error is thrown afterwards', async () => {
  const clock = createTestClock();
  const records = [1];
  const broken = ruleOver([], {
    name: 'broken',
    deleteBatch: () => Promise.reject(new Error('no such table')),
  });
  const retention = createRetention({ rules: [broken, ruleOver(records)], clock });
  await assert.rejects(retention.run(), /no such table/);
  assert.deepEqual(records, []);
});

test('a retention run ends between two batches when aborted', async () => {
  const clock = createTestClock();
  const records = [1, 2, 3];
  const stop = new AbortController();
  const pause = async () => stop.abort();
  const retention = createRetention({ rules: [ruleOver(records)], clock, batchSize: 1, pause });
  assert.deepEqual(await retention.run(stop.signal), { records: 1 });
  assert.deepEqual(records, [2, 3]);
});
