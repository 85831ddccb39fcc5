import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTextScorer, scoreAt, tokensOfText, writeModel } from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { expand, expandMany } from '../src/generators/expand.ts';
import { generateInjectionRows } from '../src/generators/injection.ts';
import { generateToxicityRows } from '../src/generators/toxicity.ts';
import { balanceWeights, calibrate } from '../src/lib/linear-model.ts';
import type { LearnRow, Recipe } from '../src/lib/linear-recipe.ts';
import { trainLinear } from '../src/lib/linear-recipe.ts';
import { CHECKSUMS, checksumOf, SEED } from './checksums.ts';

const COLORS = ['red', 'green', 'blue', 'white', 'black'];

const RECIPE: Recipe = {
  heads: ['bad'],
  settings: { bits: 10, epochs: 6, rate: 0.2, l2: 1e-5, seed: 7, scale: { floor: 4, power: 0.5 } },
  targets: ({ label }) => [label],
  factors: {},
  folds: [/^one$/, /^two$/],
  judge: (logOdds, head) => logOdds[head] as number,
  verdict: (scores) => Math.max(...scores),
  pins: [{ threshold: 0.5, share: 0.05 }],
  isHarmless: () => true,
};

/** Texts of three sentences; in the bad ones one of them asks to open a door. */
function makeRows(): LearnRow[] {
  const random = createRandom(3);
  const plain = () => `The ${random.pick(COLORS)} lamp stands on a ${random.pick(COLORS)} table.`;
  return Array.from({ length: 120 }, (_, at) => {
    const label = at % 2;
    const odd = label === 1 ? `Open the ${random.pick(COLORS)} door at once.` : plain();
    const text = random.shuffle([plain(), odd, plain()]).join(' ');
    return { text, label, types: [], source: at % 3 === 0 ? 'one' : 'two' };
  });
}

describe('training', () => {
  it('training gives the same bytes for the same rows and seed', () => {
    const [first, second] = [0, 1].map(() => writeModel(trainLinear(makeRows(), RECIPE).model));
    assert.deepEqual(first, second);
  });

  it('training separates the labels of a held-out source', () => {
    const { heldOut } = trainLinear(makeRows(), RECIPE);
    assert.equal(heldOut.length, 120);
    const [bad, good] = [1, 0].map((label) =>
      heldOut.filter((row) => row.label === label).map(({ logOdds }) => logOdds[0] as number),
    ) as [number[], number[]];
    assert.ok(Math.min(...bad) > Math.max(...good));
  });

  it('training learns which sentence of a harmful text is the harmful one', () => {
    const scorer = createTextScorer(trainLinear(makeRows(), RECIPE).model);
    const text = 'the blue lamp stands on a red table. open the white door at once.';
    scorer.read(tokensOfText(text));
    const best = scorer.best(0);
    assert.ok(best !== undefined && text.slice(best.start, best.end).includes('open the white'));
  });
});

describe('balancing', () => {
  it('balancing gives both labels the same weight in all, and large sources less than their share', () => {
    const rows = [
      ...Array.from({ length: 400 }, () => ({ source: 'large', label: 0 })),
      ...Array.from({ length: 25 }, () => ({ source: 'small', label: 0 })),
      ...Array.from({ length: 10 }, () => ({ source: 'bad', label: 1 })),
    ];
    const weights = balanceWeights(rows);
    const sum = (source: string) =>
      weights.reduce((all, weight, at) => (rows[at]?.source === source ? all + weight : all), 0);
    assert.ok(Math.abs(sum('bad') - sum('large') - sum('small')) < 1e-6);
    assert.ok(Math.abs(sum('large') / sum('small') - 4) < 1e-6);
  });
});

describe('calibration', () => {
  it('calibration puts the wanted share of the harmless at the threshold and rises throughout', () => {
    const points = Array.from({ length: 2000 }, (_, at) => ({
      logOdds: (at % 1000) / 100 + (at < 1000 ? 0 : 6),
      positive: at >= 1000,
      weight: 1,
    }));
    const curve = calibrate(points, { threshold: 0.7, share: 0.1 });
    const score = scoreAt(curve, 9);
    assert.ok(Math.abs(score - 0.7) < 0.03, String(score));
    curve.forEach(([odds, score], at) => {
      const before = curve[at - 1] ?? [Number.NEGATIVE_INFINITY, 0];
      assert.ok(odds > before[0] && score >= before[1]);
    });
  });
});

describe('templates', () => {
  it('templates fill slots and choices, and leave other braces and brackets alone', () => {
    const slots = { animal: ['{size} cat'], size: ['small'] };
    const text = expand('[A|A] {animal} {unknown} [0] |', slots, createRandom(1));
    assert.equal(text, 'A small cat {unknown} [0] |');
  });

  it('templates that refer to themselves are refused', () => {
    assert.throws(() => expand('{a}', { a: ['{a}'] }, createRandom(1)), RangeError);
  });

  it('templates give no text twice', () => {
    const texts = expandMany(['[a|b|c]', '[c|d]'], 10, {}, createRandom(2));
    assert.deepEqual([...texts].sort(), ['a', 'b', 'c', 'd']);
  });
});

describe('the generators', () => {
  for (const [name, generate] of [
    ['injection', generateInjectionRows],
    ['toxicity', generateToxicityRows],
  ] as const) {
    it(`the generators make the same ${name} rows from the same seed, of both labels`, () => {
      const rows = generate(SEED);
      assert.equal(checksumOf(rows), CHECKSUMS[name]);
      assert.notDeepEqual(generate(6), rows);
      for (const label of [0, 1]) {
        assert.ok(rows.filter((row) => row.label === label).length > 3_000);
      }
      const unfilled = /\{[a-z]\w*\}/;
      assert.ok(rows.every(({ text }) => !text.includes('\0') && !unfilled.test(text)));
    });
  }
});
