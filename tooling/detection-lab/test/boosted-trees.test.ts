import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createBoostedTrees,
  interpolate,
  readBoostedTrees,
  writeBoostedTrees,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import type { BoostExample } from '../src/lib/boost.ts';
import { fitBoostedTrees } from '../src/lib/boost.ts';
import { calibrateAt } from '../src/lib/threshold-curve.ts';

const SETTINGS = { trees: 30, depth: 3, rate: 0.3, minLeaf: 2, ridge: 1, directions: [1, 0, 0] };

function examples(count: number, seed: number): BoostExample[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const features = Float32Array.from([random.next(), random.next(), random.next()]);
    const [a, b] = [features[0] as number, features[1] as number];
    return { features, label: a > 0.5 !== b > 0.7 && random.next() < 0.9 ? 1 : 0, weight: 1 };
  });
}

describe('boosted trees', () => {
  it('boosted trees learn what their examples have in common', () => {
    const trees = createBoostedTrees(
      fitBoostedTrees(examples(1500, 1), { ...SETTINGS, directions: [0, 0, 0] }),
    );
    const right = examples(500, 2).filter(
      ({ features, label }) => trees.sum(features) > 0 === (label === 1),
    );
    assert.ok(right.length > 440, String(right.length));
  });

  it('boosted trees never fall with a feature that may only raise them', () => {
    const trees = createBoostedTrees(fitBoostedTrees(examples(800, 3), SETTINGS));
    for (const { features } of examples(200, 4)) {
      const sums = [0, 0.2, 0.4, 0.6, 0.8, 1].map((value) =>
        trees.sum(Float32Array.from([value, features[1] ?? 0, features[2] ?? 0])),
      );
      for (let at = 1; at < sums.length; at++)
        assert.ok((sums[at] ?? 0) >= (sums[at - 1] ?? 0) - 1e-6);
    }
  });

  it('boosted trees come out the same, byte by byte, from the same examples', () => {
    const bytes = () => writeBoostedTrees(fitBoostedTrees(examples(300, 5), SETTINGS));
    assert.deepEqual(bytes(), bytes());
  });

  it('boosted trees are read back from their file unchanged', () => {
    const table = {
      ...fitBoostedTrees(examples(300, 6), SETTINGS),
      knots: [
        [-1, 0.25],
        [1, 0.75],
      ] as const,
    };
    const [before, after] = [
      createBoostedTrees(table),
      readBoostedTrees(Buffer.from(writeBoostedTrees(table)), 3),
    ];
    for (const { features } of examples(50, 7)) {
      assert.ok(Math.abs(before.score(features) - after.score(features)) < 1e-5);
    }
  });

  it('boosted trees are refused when the file is damaged or meant for other features', () => {
    const bytes = writeBoostedTrees(fitBoostedTrees(examples(300, 8), SETTINGS));
    const foreign = bytes.slice().fill(0, 0, 4);
    for (const damaged of [bytes.slice(0, 12), bytes.slice(0, -1), foreign]) {
      assert.throws(() => readBoostedTrees(damaged, 3), RangeError);
    }
    assert.throws(() => readBoostedTrees(bytes, 1), RangeError);
  });
});

describe('a curve from sums to scores', () => {
  it('a curve from sums to scores is level beyond its ends and straight between its knots', () => {
    const knots = [
      [0, 0.1],
      [2, 0.5],
    ] as const;
    const scores = [-1, 0, 1, 2, 3].map((at) => interpolate(knots, at).toFixed(6));
    assert.deepEqual(scores, ['0.100000', '0.100000', '0.300000', '0.500000', '0.500000']);
  });

  it('a curve from sums to scores puts the wanted share of negatives above the threshold, and rises', () => {
    const random = createRandom(9);
    const scored = Array.from({ length: 2000 }, (_, at) => ({
      score: random.normal() + (at % 2) * 3,
      positive: at % 2 === 1,
    }));
    const knots = calibrateAt(scored, 0.8, 0.01);
    const negatives = scored.filter(({ positive }) => !positive);
    const above = negatives.filter(({ score }) => interpolate(knots, score) >= 0.8).length;
    assert.ok(above >= 5 && above <= 12, String(above));
    for (let at = 1; at < knots.length; at++)
      assert.ok((knots[at]?.[1] ?? 0) > (knots[at - 1]?.[1] ?? 1));
  });
});
