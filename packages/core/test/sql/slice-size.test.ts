import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FIRST_ROWS, nextSliceSize } from '../../src/sql/slice-size.ts';

/** The size at which slices settle when each row takes `msOfRow`. */
function settledSize(msOfRow: number): number {
  let size = FIRST_ROWS;
  for (let slice = 0; slice < 40; slice += 1) size = nextSliceSize(size, size * msOfRow, 100);
  return size;
}

describe('size of a slice', () => {
  test('slices take as many rows as last the time aimed at, between 10 and 20,000', () => {
    assert.equal(settledSize(0.1), 1_000);
    assert.equal(settledSize(2), 50);
    assert.equal(settledSize(0.000_1), 20_000);
    assert.equal(settledSize(1_000), 10);
  });

  test('a slow slice is followed by one of a quarter at least, a quick one by one of twice at most', () => {
    assert.equal(nextSliceSize(1_000, 10_000, 100), 250);
    assert.equal(nextSliceSize(1_000, 0, 100), 2_000);
  });
});
