import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import type { Matrix } from '../src/lib/matrix.ts';
import {
  dot,
  fitLinearMap,
  multiply,
  principalDirections,
  rowOf,
  zeros,
} from '../src/lib/matrix.ts';
import { nearestRows } from '../src/lib/nearest-rows.ts';

function filled(rows: number, columns: number, value: (row: number, column: number) => number) {
  const matrix = zeros(rows, columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      matrix.values[row * columns + column] = value(row, column);
    }
  }
  return matrix;
}

function isNear(a: Matrix, b: Matrix, far: number): boolean {
  return a.values.every((value, at) => Math.abs(value - (b.values[at] as number)) < far);
}

describe('matrices', () => {
  it('matrices find the linear map that made the outputs', () => {
    const random = createRandom(1);
    const inputs = filled(60, 4, () => random.normal());
    const map = filled(4, 3, (row, column) => row - 2 * column);
    assert.ok(isNear(fitLinearMap(inputs, multiply(inputs, map), 1e-9), map, 1e-3));
  });

  it('matrices find the direction in which rows differ most', () => {
    const random = createRandom(2);
    const rows = filled(200, 3, (_, column) => random.normal() * (column === 1 ? 9 : 1));
    const directions = principalDirections(rows, 2, 3);
    const first = [0, 1, 2].map((row) => rowOf(directions, row)[0] as number);
    const second = [0, 1, 2].map((row) => rowOf(directions, row)[1] as number);
    assert.ok(Math.abs(first[1] as number) > 0.99);
    assert.ok(Math.abs(dot(first, second)) < 1e-6);
  });

  it('matrices find the nearest rows, best first, none of them itself', () => {
    const angles = [0, 0.1, 0.3, 1.5, 3];
    const rows = filled(5, 2, (row, column) =>
      column === 0 ? Math.cos(angles[row] as number) : Math.sin(angles[row] as number),
    );
    const nearest = nearestRows(rows, [0, 1, 2, 3], 2);
    assert.deepEqual(nearest.get(0), [1, 2]);
    assert.deepEqual(nearest.get(3), [2, 1]);
    assert.equal(nearest.has(4), false);
  });
});
