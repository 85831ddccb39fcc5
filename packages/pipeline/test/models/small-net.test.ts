import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ModelFileError } from '../../src/models/model-file.ts';
import type { SmallNet } from '../../src/models/small-net.ts';
import { readNet, runNet, writeNet } from '../../src/models/small-net.ts';

const NET: SmallNet = {
  inputs: 2,
  hidden: 2,
  heads: 1,
  hiddenWeights: Float32Array.of(1, 0, 0, -1),
  hiddenBias: Float32Array.of(0.5, 0.25),
  headWeights: Float32Array.of(2, 4),
};

describe('a small net', () => {
  it('a small net is read as it was written', () => {
    assert.deepEqual(readNet(writeNet(NET)), NET);
  });

  it('a small net adds only its units above 0', () => {
    assert.deepEqual(runNet(NET, Float64Array.of(1, 3)), [3]);
    assert.deepEqual(runNet(NET, Float64Array.of(-1, -1)), [5]);
    assert.deepEqual(runNet(NET, Float64Array.of(-1, 1)), [0]);
  });

  for (const [name, damage] of [
    ['a changed byte', (bytes: Uint8Array) => bytes.fill(7, 24, 25)],
    ['other first letters', (bytes: Uint8Array) => bytes.fill(0, 0, 1)],
    ['a missing end', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 4)],
    ['nearly nothing', (bytes: Uint8Array) => bytes.subarray(0, 5)],
  ] as const) {
    it(`a small net is refused with ${name}`, () => {
      assert.throws(() => readNet(damage(writeNet(NET))), ModelFileError);
    });
  }
});
