import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadModel } from '../../src/models/load-model.ts';
import type { LinearModel } from '../../src/models/model-file.ts';
import { ModelFileError, readModel, scoreAt, writeModel } from '../../src/models/model-file.ts';

function makeModel(): LinearModel {
  const curve = [[-2, 0.1] as const, [3, 0.9] as const];
  return {
    bits: 4,
    scale: { floor: 8, power: 0.5 },
    heads: [
      { name: 'one', step: 0.5, bias: -1, curve },
      { name: 'two', step: 0.25, bias: 1, curve },
    ],
    weights: Int8Array.from({ length: 32 }, (_, at) => at * 3 - 40),
  };
}

describe('a weights file', () => {
  it('a weights file is read back as it was written', () => {
    assert.deepEqual(readModel(writeModel(makeModel())), makeModel());
  });

  it('a weights file is refused when any byte of it has changed', () => {
    const bytes = writeModel(makeModel());
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = (damaged[at] as number) ^ change;
        assert.throws(() => readModel(damaged), ModelFileError);
      }),
    );
  });

  it('a weights file is refused when it is cut short', () => {
    const bytes = writeModel(makeModel());
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => readModel(bytes.subarray(0, length)), ModelFileError);
    }
  });

  it('a weights file is refused when it has fewer weights than heads and bits ask for', () => {
    const bytes = writeModel({ ...makeModel(), bits: 5 });
    assert.throws(() => readModel(bytes), /number of weights differs/);
  });

  it('a weights file is refused when a curve falls', () => {
    const [first, ...rest] = makeModel().heads;
    const falling = { ...first, curve: [[-2, 0.9] as const, [3, 0.1] as const] };
    const heads = [falling, ...rest] as LinearModel['heads'];
    assert.throws(
      () => readModel(writeModel({ ...makeModel(), heads })),
      /description in the weights file is invalid/,
    );
  });
});

describe('the curve of a head', () => {
  const curve = [[-2, 0.1] as const, [0, 0.5] as const, [3, 0.9] as const];

  it('the curve of a head goes through its points and stays within its ends', () => {
    const scores = [-9, -2, -1, 0, 3, 99].map((odds) => scoreAt(curve, odds));
    assert.deepEqual(scores, [0.1, 0.1, 0.3, 0.5, 0.9, 0.9]);
  });

  it('the curve of a head never falls', () => {
    const odds = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(odds, odds, (a, b) => {
        assert.ok(scoreAt(curve, Math.min(a, b)) <= scoreAt(curve, Math.max(a, b)));
      }),
    );
  });
});

describe('the models that come with the package', () => {
  for (const [name, heads, limit] of [
    ['injection', 6, 800_000],
    ['toxicity', 6, 800_000],
  ] as const) {
    it(`the package contains the model ${name} in at most ${limit} bytes`, () => {
      const model = loadModel(name);
      assert.equal(model.heads.length, heads);
      assert.ok(model.weights.length <= limit);
      assert.ok(model.weights.some((weight) => weight !== 0));
    });
  }
});
