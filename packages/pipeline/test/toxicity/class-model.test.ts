import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashOfSign, hashOfWord } from '../../src/models/hash-words.ts';
import type { LinearModel } from '../../src/models/model-file.ts';
import { ModelFileError } from '../../src/models/model-file.ts';
import { createTextFeatures, readFeatures } from '../../src/models/text-features.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';
import { createClassFeatures, readClassFeatures } from '../../src/toxicity/class-features.ts';
import type { ClassTable } from '../../src/toxicity/class-model.ts';
import { createClassSums, readClasses, writeClasses } from '../../src/toxicity/class-model.ts';
import type { ClassEntry } from '../../src/toxicity/word-classes.ts';
import { createWordClasses } from '../../src/toxicity/word-classes.ts';

const BITS = 10;
const CURVE = [
  [-1, 0],
  [1, 1],
] as const;
/** 1 and 2 say something by themselves, 3 and more do not. */
const ENTRIES: readonly ClassEntry[] = [
  [hashOfWord('moron'), 1],
  [hashOfWord('idiot'), 1],
  [hashOfWord('stab'), 2],
  [hashOfWord('you'), 3],
  [hashOfWord('i'), 4],
  [hashOfSign('!'), 5],
];

const TABLE: ClassTable = { entries: ENTRIES, content: 3 };
const MODEL: LinearModel = {
  bits: BITS,
  scale: { floor: 8, power: 0.5 },
  heads: ['one', 'two'].map((name, at) => ({ name, step: at + 1, bias: 0, curve: CURVE })),
  weights: Int8Array.from({ length: 2 * 2 ** BITS }, (_, at) => ((at * 37) % 11) - 5),
};

function featuresOf(text: string): Set<number>[] {
  const features = createTextFeatures();
  readFeatures(tokensOfText(text), features);
  const read = createClassFeatures();
  readClassFeatures(features, createWordClasses(ENTRIES), 3, read);
  return Array.from(
    { length: features.segments },
    (_, at) => new Set(read.hashes.subarray(read.firstHash[at], read.firstHash[at + 1])),
  );
}

describe('word classes', () => {
  it('word classes know the words they were made of, and no others', () => {
    const classes = createWordClasses(ENTRIES);
    for (const [word, number] of ENTRIES) assert.equal(classes.classOf(word), number);
    assert.equal(classes.classOf(hashOfWord('table')), 0);
  });

  it('word classes keep to the first entry of a word', () => {
    const classes = createWordClasses([
      [7, 1],
      [7, 2],
    ]);
    assert.equal(classes.classOf(7), 1);
  });
});

describe('class features', () => {
  it('class features are the same for words of the same classes, whatever stands between them', () => {
    assert.deepEqual(featuresOf('you are such a moron'), featuresOf('you really big idiot'));
  });

  it('class features differ by the order of the words', () => {
    assert.notDeepEqual(featuresOf('i stab you now'), featuresOf('you stab i now'));
  });

  it('class features are empty where no word has a weight of its own', () => {
    assert.deepEqual(featuresOf('i and you, you and i!'), [new Set()]);
  });

  it('class features do not cross sentences', () => {
    const [apart, alone] = [
      featuresOf('so i stab it. you see the moon.'),
      featuresOf('so i stab it.'),
    ];
    assert.deepEqual(apart[0], alone[0]);
    assert.equal(apart[1]?.size, 0);
  });
});

describe('a table of classes', () => {
  it('a table of classes is read as it was written', () => {
    assert.deepEqual(readClasses(writeClasses(TABLE)), TABLE);
  });

  it('a table of classes adds the weights of each segment to the sums', () => {
    const text = 'you are a moron, i say. then i stab you! and nothing more.';
    const features = createTextFeatures();
    readFeatures(tokensOfText(text), features);
    const sums = new Float64Array((features.segments + 1) * 2).fill(1);
    createClassSums(TABLE, MODEL)(features, sums);
    const expected = [1, 1];
    featuresOf(text).forEach((hashes, segment) => {
      for (const hash of hashes) {
        for (const head of [0, 1]) {
          const weight = MODEL.weights[(hash & (2 ** BITS - 1)) * 2 + head] as number;
          expected[head] = (expected[head] as number) + weight * (head + 1);
        }
      }
      const at = (segment + 1) * 2;
      assert.deepEqual([...sums.subarray(at, at + 2)], expected);
    });
  });

  for (const [name, damage] of [
    ['a changed byte', (bytes: Uint8Array) => bytes.fill(7, 30, 31)],
    ['other first letters', (bytes: Uint8Array) => bytes.fill(0, 0, 1)],
    ['a missing end', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 9)],
    ['nearly nothing', (bytes: Uint8Array) => bytes.subarray(0, 5)],
  ] as const) {
    it(`a table of classes is refused with ${name}`, () => {
      assert.throws(() => readClasses(damage(writeClasses(TABLE))), ModelFileError);
    });
  }
});
