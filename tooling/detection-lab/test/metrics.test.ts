import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import * as metrics from '../src/lib/metrics.ts';
import { spanFigures } from '../src/lib/span-metrics.ts';

const scored = (positives: readonly number[], negatives: readonly number[]) => [
  ...positives.map((score) => ({ score, positive: true })),
  ...negatives.map((score) => ({ score, positive: false })),
];
const close = (actual: number, expected: number, name?: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${name ?? ''} ${actual} is not ${expected}`);

describe('measures of decisions', () => {
  const confusion = metrics.confusionAt(scored([0.9, 0.8, 0.3], [0.85, 0.2, 0.1, 0.5]), 0.5);

  it('the measures of decisions count a score at the threshold as found', () => {
    const expected = {
      truePositives: 2,
      falsePositives: 2,
      trueNegatives: 2,
      falseNegatives: 1,
    };
    assert.deepEqual(confusion, expected);
  });

  it('the measures of decisions have the values computed by hand', () => {
    close(metrics.precision(confusion), 2 / 4);
    close(metrics.recall(confusion), 2 / 3);
    close(metrics.f1(confusion), 4 / 7);
    close(metrics.falsePositiveRate(confusion), 2 / 4);
    close(metrics.balancedAccuracy(confusion), (2 / 3 + 1 / 2) / 2);
  });

  it('the measures of decisions have no value where a class is absent', () => {
    const onlyNegatives = metrics.confusionAt(scored([], [0.1]), 0.5);
    assert.ok(Number.isNaN(metrics.recall(onlyNegatives)));
    assert.ok(Number.isNaN(metrics.f1(onlyNegatives)));
    assert.ok(Number.isNaN(metrics.auroc(scored([0.4], []))));
    assert.ok(Number.isNaN(metrics.auprc(scored([], [0.4]))));
  });
});

describe('measures of rankings', () => {
  const cases: readonly [string, number[], number[], number, number][] = [
    // name, positives, negatives, AUROC, average precision
    ['perfect', [0.9, 0.8], [0.2, 0.1], 1, 1],
    ['reversed', [0.1], [0.9, 0.8], 0, 1 / 3],
    ['one pair of four wrong', [0.9, 0.4], [0.5, 0.1], 3 / 4, (1 + 2 / 3) / 2],
    ['all tied', [0.5, 0.5], [0.5, 0.5, 0.5], 1 / 2, 2 / 5],
    ['a tie counts half', [0.9, 0.5], [0.5, 0.1], 7 / 8, 1 / 2 + (1 / 2) * (2 / 3)],
  ];
  for (const [name, positives, negatives, area, averagePrecision] of cases) {
    it(`the measures of rankings return AUROC and average precision: ${name}`, () => {
      close(metrics.auroc(scored(positives, negatives)), area);
      close(metrics.auprc(scored(positives, negatives)), averagePrecision);
    });
  }

  it('the measures of rankings read the curve at a fixed rate', () => {
    const rows = scored([0.9, 0.7, 0.3], [0.8, 0.5, 0.4, 0.1]);
    close(metrics.tprAtFpr(rows, 0), 1 / 3);
    close(metrics.tprAtFpr(rows, 0.25), 2 / 3);
    close(metrics.tprAtFpr(rows, 0.74), 2 / 3);
    close(metrics.tprAtFpr(rows, 0.75), 1);
    close(metrics.fprAtTpr(rows, 0.5), 1 / 4);
    close(metrics.fprAtTpr(rows, 1), 3 / 4);
  });

  it('the measures of rankings find the lowest threshold within a false positive rate', () => {
    const rows = scored([0.9, 0.7, 0.3], [0.8, 0.5, 0.4, 0.1]);
    close(metrics.thresholdAtFpr(rows, 0), 0.9);
    close(metrics.thresholdAtFpr(rows, 0.25), 0.7);
    const above = metrics.thresholdAtFpr(scored([0.3], [0.8]), 0);
    assert.equal(metrics.confusionAt(scored([0.3], [0.8]), above).falsePositives, 0);
  });

  it('the measures of rankings are not changed by the order of the rows', () => {
    const rows = scored([0.9, 0.5, 0.5, 0.2], [0.5, 0.5, 0.4, 0.1]);
    const shuffled = createRandom(3).shuffle(rows);
    close(metrics.auroc(shuffled), metrics.auroc(rows));
    close(metrics.auprc(shuffled), metrics.auprc(rows));
  });
});

describe('rank correlation', () => {
  it('rank correlation gives the values computed by hand', () => {
    close(metrics.spearman([1, 2, 3], [10, 100, 1000]), 1);
    close(metrics.spearman([1, 2, 3], [3, 2, 1]), -1);
    // 1 - 6 * (1 + 1 + 0 + 0) / (4 * 15)
    close(metrics.spearman([1, 2, 3, 4], [2, 1, 3, 4]), 0.8);
    // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5).
    close(metrics.spearman([1, 2, 2, 3], [1, 2, 3, 4]), 4.5 / Math.sqrt(22.5));
  });

  it('rank correlation has no value for a constant, and refuses rows of different length', () => {
    assert.ok(Number.isNaN(metrics.spearman([1, 1], [1, 2])));
    assert.throws(() => metrics.spearman([1], [1, 2]), RangeError);
  });
});

describe('calibration', () => {
  it('calibration is the distance of score and share, weighted by bin', () => {
    const rows = scored([0.9, 1], [0.9, 0.1]);
    // Last bin: mean 2.8 / 3, share 2 / 3, weight 3 / 4. Second bin: mean 0.1, share 0, weight 1 / 4.
    close(metrics.expectedCalibrationError(rows), (3 / 4) * (0.8 / 3) + (1 / 4) * 0.1);
  });

  it('calibration puts a score of 1 into the last bin', () => {
    assert.equal(metrics.reliabilityBins(scored([1], []), 4).at(-1)?.count, 1);
  });
});

describe('bootstrap interval', () => {
  it('the bootstrap interval contains the measure of the rows, and is the same for the same seed', () => {
    const rows = scored([0.9, 0.6, 0.5, 0.4], [0.7, 0.3, 0.2, 0.1]);
    const first = metrics.bootstrapInterval(rows, metrics.auroc, createRandom(7));
    const again = metrics.bootstrapInterval(rows, metrics.auroc, createRandom(7));
    assert.deepEqual(first, again);
    assert.ok(first.low <= metrics.auroc(rows) && metrics.auroc(rows) <= first.high);
    assert.ok(first.low < first.high);
  });
});

describe('span measures', () => {
  it('span measures count exact spans by type, each expected one once', () => {
    const span = (start: number, end: number, type: string) => ({ start, end, type });
    const figures = spanFigures([
      {
        expected: [span(0, 5, 'email'), span(10, 15, 'email'), span(20, 30, 'ssn')],
        found: [span(0, 5, 'email'), span(0, 5, 'email'), span(10, 14, 'email')],
      },
      { expected: [], found: [span(1, 2, 'ssn')] },
    ]);
    const email = figures.get('email');
    assert.deepEqual([email?.expected, email?.found], [2, 3]);
    close(email?.precision as number, 1 / 3);
    close(email?.recall as number, 1 / 2);
    close(email?.f1 as number, 2 / 5);
    assert.equal(figures.get('ssn')?.f1, 0);
    close(figures.get('all')?.f1 as number, 2 / 7);
  });

  it("Wilson's interval has the values computed by hand, and is 0 to 1 for no rows", () => {
    const [low, high] = metrics.wilsonInterval(1, 10);
    assert.deepEqual([low.toFixed(4), high.toFixed(4)], ['0.0179', '0.4042']);
    assert.deepEqual(metrics.wilsonInterval(0, 0), [0, 1]);
    assert.equal(metrics.wilsonInterval(0, 100)[0], 0);
  });
});
