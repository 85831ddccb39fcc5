import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import { principalAxes } from '../src/lib/principal-axes.ts';

describe('principal axes', () => {
  it('principal axes point where rows differ most, at right angles, wherever the rows lie', () => {
    const random = createRandom(5);
    const rows = Array.from({ length: 500 }, () => {
      const [long, short] = [10 * random.normal(), 2 * random.normal()];
      return Float64Array.from([7 + 0.6 * long, 3 + 0.8 * long, short, 0.01 * random.normal()]);
    });
    const [first, second] = principalAxes(rows, 2) as [Float64Array, Float64Array];
    assert.ok(Math.abs((first[0] as number) * 0.6 + (first[1] as number) * 0.8) > 0.99);
    assert.ok(Math.abs(second[2] as number) > 0.99);
  });
});
