import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createClassSums,
  createTextScorer,
  hashOfWord,
  tokensOfText,
  writeClassModel,
  writeModel,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import { classForms, classNumber, wordsOf } from '../src/generators/word-classes.ts';
import type { Lexicon } from '../src/lib/blended.ts';
import type { LinearSettings } from '../src/lib/linear.ts';
import type { LearnRow } from '../src/lib/linear-recipe.ts';
import type { BlendRecipe } from '../src/lib/toxicity-trainer.ts';
import { trainBlend } from '../src/lib/toxicity-trainer.ts';

const INSULTS = ['moron', 'fool', 'dolt', 'oaf'];
const UNSEEN = 'nincompoop';
const LEXICON: Lexicon = {
  entries: [
    ...[...INSULTS, UNSEEN].map((word) => [hashOfWord(word), 1] as const),
    [hashOfWord('you'), 2],
  ],
  content: 2,
};
const SETTINGS: LinearSettings = {
  heads: 1,
  bits: 10,
  epochs: 6,
  rate: 0.2,
  l2: 1e-5,
  seed: 7,
  scale: { floor: 4, power: 0.5 },
};
const RECIPE: BlendRecipe = {
  heads: ['bad'],
  blend: { hashed: SETTINGS, classes: { ...SETTINGS, bits: 9 }, share: 0.5 },
  targets: ({ label }) => [label],
  factors: {},
  folds: [/^one$/, /^two$/],
  judge: (logOdds, head) => logOdds[head] as number,
  pins: [{ threshold: 0.5, share: 0.05 }],
  isHarmless: () => true,
};

function makeRows(): LearnRow[] {
  const random = createRandom(3);
  return Array.from({ length: 120 }, (_, at) => {
    const label = at % 2;
    const noun = random.pick(label === 1 ? INSULTS : ['cook', 'judge', 'painter', 'sailor']);
    const text = `He told me at noon that you are a ${noun} of some kind.`;
    return { text, label, types: [], source: at % 3 === 0 ? 'one' : 'two' };
  });
}

describe('training words and their classes', () => {
  it('training of words and classes gives the same bytes for the same rows and seed', () => {
    const [first, second] = [0, 1].map(() => {
      const { hashed, classes } = trainBlend(makeRows(), LEXICON, RECIPE);
      return [writeModel(hashed), writeClassModel(classes)];
    });
    assert.deepEqual(first, second);
  });

  it('training of words and classes gives rising score curves that end above 0.999999', () => {
    const { hashed } = trainBlend(makeRows(), LEXICON, RECIPE);
    for (const { curve } of hashed.heads) {
      const scores = curve.map(([, score]) => score);
      assert.ok((scores.at(-1) as number) > 0.999_999);
      for (const [at, [odds, score]] of curve.entries()) {
        const [before, lower] = curve[at - 1] ?? [Number.NEGATIVE_INFINITY, -1];
        assert.ok(odds > before && score > lower, `${odds} ${score}`);
      }
    }
  });

  it('training of words and classes scores each row without its source', () => {
    const { heldOut } = trainBlend(makeRows(), LEXICON, RECIPE);
    assert.equal(heldOut.length, 120);
    const [bad, good] = [1, 0].map((label) =>
      heldOut.filter((row) => row.label === label).map(({ logOdds }) => logOdds[0] as number),
    ) as [number[], number[]];
    assert.ok(Math.min(...bad) > Math.max(...good));
  });

  it('training of words and classes weighs a word that no text had by its class', () => {
    const { hashed, classes } = trainBlend(makeRows(), LEXICON, RECIPE);
    const scorer = createTextScorer(hashed, createClassSums(classes));
    const judge = (noun: string): number => {
      scorer.read(tokensOfText(`he told me at noon that you are a ${noun} of some kind.`));
      return scorer.best(0)?.logOdds ?? 0;
    };
    assert.ok(judge(UNSEEN) > judge('stonemason'));
  });
});

describe('word lists', () => {
  const classes = {
    slur: { nouns: ['pig', 'fly', 'witch'] },
    harm: { verbs: ['stab', 'hate', 'carry'], past: ['shot'], words: ['dead'] },
    you: { words: ['you', 'stab'] },
  };

  it('word lists are spelled out in all their forms', () => {
    const forms = classForms(classes);
    for (const form of ['pig', 'pigs', 'flies', 'witches']) assert.equal(forms.get(form), 1, form);
    for (const form of ['stab', 'stabs', 'stabbing', 'hating', 'carries', 'carrying', 'dead']) {
      assert.equal(forms.get(form), 3, form);
    }
    for (const form of ['stabbed', 'hated', 'carried', 'shot']) {
      assert.equal(forms.get(form), 4, form);
    }
    assert.equal(forms.get('you'), classNumber(classes, 'you'));
  });

  it('word lists are listed by class', () => {
    assert.deepEqual(wordsOf(classes, ['slur', 'you']), ['pig', 'fly', 'witch', 'you', 'stab']);
  });
});
