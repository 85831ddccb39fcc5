import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createStoredBytesMeasure } from '../../src/usage/stored-bytes.ts';

/** A measure of sizes that a test sets, with the number of measurements so far. */
function createMeasure(rowsOf: Readonly<Record<string, number>>) {
  const clock = createTestClock();
  const measured: string[] = [];
  const measure = createStoredBytesMeasure(clock, {
    async estimateStoredBytes(organizationId) {
      measured.push(organizationId);
      return { bytes: measured.length, rows: rowsOf[organizationId] ?? 0 };
    },
  });
  return { clock, measure, measured };
}

test('the size of a large organization is measured once in a time in proportion to its rows', async () => {
  const { clock, measure, measured } = createMeasure({ org_1: 1_000_000, org_2: 2_000_000 });
  assert.deepEqual(await Promise.all([measure('org_1'), measure('org_1')]), [1, 1]);
  assert.equal(await measure('org_2'), 2);
  await clock.advance(59_999);
  assert.deepEqual([await measure('org_1'), await measure('org_2')], [1, 2]);
  await clock.advance(1);
  assert.deepEqual([await measure('org_1'), await measure('org_2')], [3, 2]);
  assert.deepEqual(measured, ['org_1', 'org_2', 'org_1']);
});

test('the size of a small organization is measured at each call', async () => {
  const { measure, measured } = createMeasure({ org_1: 9_999 });
  assert.deepEqual([await measure('org_1'), await measure('org_1')], [1, 2]);
  assert.equal(measured.length, 2);
});

test('a measurement that failed is repeated by the next call', async () => {
  let isFailing = true;
  const measure = createStoredBytesMeasure(createTestClock(), {
    async estimateStoredBytes() {
      if (isFailing) throw new Error('no answer');
      return { bytes: 7, rows: 1 };
    },
  });
  await assert.rejects(measure('org_1'), /no answer/);
  isFailing = false;
  assert.equal(await measure('org_1'), 7);
});
