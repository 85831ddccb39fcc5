import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClassTable } from '@probity/pipeline/internal';
import {
  createClassSums,
  createTextScorer,
  hashOfWord,
  sharedLexicon,
  tokensOfText,
  writeModel,
  writeNet,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import {
  classForms,
  classNumber,
  OTHER_LANGUAGES,
  wordsOf,
} from '../src/generators/word-classes.ts';
import { joinText, packClasses, packWords } from '../src/lib/class-texts.ts';
import type { HeadSettings } from '../src/lib/heads.ts';
import { fitHeads, predictHeads } from '../src/lib/heads.ts';
import type { PackedText } from '../src/lib/linear.ts';
import { packTexts } from '../src/lib/linear.ts';
import { quantize, toModelText } from '../src/lib/linear-model.ts';

const INSULTS = ['moron', 'fool', 'dolt', 'oaf'];
const UNSEEN = 'nincompoop';
const TABLE: ClassTable = {
  entries: [
    ...[...INSULTS, UNSEEN].map((word) => [hashOfWord(word), 1] as const),
    [hashOfWord('you'), 2],
  ],
  content: 2,
};
const BITS = 12;
const SETTINGS: HeadSettings = {
  headWeights: [1],
  bits: BITS,
  hidden: 4,
  epochs: 6,
  rate: 0.25,
  netRate: 0.03,
  l2: 1e-7,
  dropped: { features: 0.1, inputs: 0.1, units: 0.2 },
  seed: 7,
  scale: { floor: 4, power: 0.5 },
};
const { vectors } = sharedLexicon();

function pack(texts: readonly string[]) {
  const classes = packClasses(texts, TABLE, BITS);
  const packed = packTexts(texts, BITS, true).map((text, at) =>
    joinText(text, classes[at] as PackedText),
  );
  return { packed, words: packWords(texts, vectors) };
}

function fit() {
  const random = createRandom(3);
  const nouns = ['cook', 'judge', 'painter', 'sailor'];
  const texts = Array.from({ length: 120 }, (_, at) => {
    return `he told me at noon that you are a ${random.pick(at % 2 === 1 ? INSULTS : nouns)} of some kind.`;
  });
  const { packed, words } = pack(texts);
  const examples = texts.map((_, at) => ({ targets: [at % 2], weight: 1 }));
  return fitHeads(examples, packed, words, vectors, SETTINGS);
}

describe('fitting heads', () => {
  it('fitting heads gives the same bytes for the same rows and seed', () => {
    const [first, second] = [0, 1].map(() => {
      const { weights, bias, net, settings } = fit();
      const model = quantize(
        { settings: { ...settings, heads: 1 }, weights, bias },
        ['bad'],
        [
          [
            [-1, 0],
            [1, 1],
          ],
        ],
      );
      return [writeModel(model), writeNet(net)];
    });
    assert.deepEqual(first, second);
  });

  it('fitting heads finds a word that no row has by its class', () => {
    const fitted = fit();
    const { packed, words } = pack([
      `he told me at noon that you are a ${UNSEEN} of some kind.`,
      'he told me at noon that you are a gardener of some kind.',
    ]);
    const [bad, good] = predictHeads(fitted, packed, words, vectors).map(
      ({ table, net }) => (table[0] as number) + (net[0] as number),
    ) as [number, number];
    assert.ok(bad > good, `${bad} ${good}`);
  });

  it('fitting heads predicts the log-odds that the library reads from the tables', () => {
    const { weights, bias, settings } = fit();
    const model = quantize(
      { settings: { ...settings, heads: 1 }, weights, bias },
      ['bad'],
      [
        [
          [-1, 0],
          [1, 1],
        ],
      ],
    );
    const text = 'you are a fool. he told me at noon that you are a cook. you are a fool.';
    const scorer = createTextScorer(model, { more: createClassSums(TABLE, model), once: true });
    scorer.read(tokensOfText(text));
    const { packed, words } = pack([text]);
    const [odds] = predictHeads(fit(), packed, words, vectors);
    assert.ok(Math.abs((scorer.best(0)?.logOdds as number) - (odds?.table[0] as number)) < 0.05);
    assert.equal(odds?.tokens, scorer.tokens());
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

  it('a word of another language has the class of its list unless an English list has it', () => {
    const forms = classForms(classes, { slur: ['schwein', 'dead'], you: ['dich'] });
    assert.equal(forms.get('schwein'), classNumber(classes, 'slur'));
    assert.equal(forms.get('dich'), classNumber(classes, 'you'));
    assert.equal(forms.get('dead'), classNumber(classes, 'harm'));
    assert.throws(() => classForms(classes, { slurs: ['schwein'] }), /no class of words: slurs/);
  });

  it('word lists of other languages are folded and have no form twice', () => {
    const words = Object.values(OTHER_LANGUAGES).flat();
    assert.ok(words.length > 5000);
    assert.deepEqual(
      words.filter((word) => word !== toModelText(word)),
      [],
    );
    assert.equal(new Set(words).size, words.length);
  });

  it('word lists are listed by class', () => {
    assert.deepEqual(wordsOf(classes, ['slur', 'you']), ['pig', 'fly', 'witch', 'you', 'stab']);
  });
});
