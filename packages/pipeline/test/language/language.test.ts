import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { claimsOf } from '../../src/language/claims.ts';
import { eachWord } from '../../src/language/join-words.ts';
import type { Entry } from '../../src/language/lexicon.ts';
import { createLexicon, KIND } from '../../src/language/lexicon.ts';
import { createPostings } from '../../src/language/postings.ts';
import { readWords } from '../../src/language/sentences.ts';
import { stemOf } from '../../src/language/stem.ts';
import { isDerived, isOpposite, isSynonym } from '../../src/language/word-relation.ts';
import {
  emptyWordVectors,
  readWordVectors,
  writeWordVectors,
} from '../../src/language/word-vectors.ts';
import type { WordSpan } from '../../src/language/words.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';
import { hashWord } from '../../src/tokens/word-hash.ts';

const lexicon = createLexicon(emptyWordVectors());
const entry = (word: string): Entry => lexicon.entry(hashWord(word), word, 0, word.length);
const sentencesOf = (text: string): string[] => {
  const { sentences, start, end } = readWords(lexicon, text);
  return sentences.slice(0, -1).map((from, at) => {
    const to = (sentences[at + 1] as number) - 1;
    return text.slice(start[from], end[to]);
  });
};

describe('eachWord', () => {
  it('eachWord cuts letters with inner apostrophes and numbers with inner separators', () => {
    const text = "Don't pay 1,234.50 at 10:30, O'Neill!";
    const found: string[] = [];
    eachWord(tokensOfText(text), (_, start, end) => found.push(text.slice(start, end)));
    assert.deepEqual(found, ["Don't", 'pay', '1,234.50', 'at', '10:30', "O'Neill"]);
  });

  it('eachWord gives a word the same hash in any case, that of hashWord', () => {
    const hashes = new Set<number>();
    eachWord(tokensOfText('Straße STRAẞE ferry FERRY'), (hash) => hashes.add(hash));
    assert.ok(hashes.has(hashWord('ferry')) && hashes.has(hashWord('straße')));
    assert.equal(hashes.size, 2);
  });

  it('eachWord covers every letter and digit of any text once, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let last = 0;
        eachWord(tokensOfText(text), (_, start, end) => {
          assert.ok(start >= last && end > start && end <= text.length);
          assert.doesNotMatch(text.slice(last, start), /[a-z0-9]/i);
          last = end;
        });
      }),
    );
  });
});

describe('readWords', () => {
  const cut: [string, string[]][] = [
    ['Dr. Mori met J. Brandt. They spoke.', ['Dr. Mori met J. Brandt', 'They spoke']],
    ['It costs 3.5 crowns. Really?', ['It costs 3.5 crowns', 'Really']],
    ['One line\nthat goes on.\n\nAnother one', ['One line\nthat goes on', 'Another one']],
    ['- first\n- second', ['first', 'second']],
  ];
  for (const [text, expected] of cut) {
    it(`readWords cuts into sentences: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(sentencesOf(text), expected);
    });
  }

  const numbers: [string, number[]][] = [
    ['twenty-three', [23]],
    ['six thousand two hundred and seventy-seven', [6277]],
    ['3.5 million', [3_500_000]],
    ['five, six', [5, 6]],
    ['1,204 and 12th', [1204, 12]],
  ];
  for (const [text, expected] of numbers) {
    it(`readWords reads numbers: ${text}`, () => {
      const values = readWords(lexicon, text).entries.map(({ value }) => value);
      assert.deepEqual(
        values.filter((value) => !Number.isNaN(value)),
        expected,
      );
    });
  }

  it('readWords reads "have to" as "must"', () => {
    const read = (text: string) => readWords(lexicon, text).entries.map(({ word }) => word);
    assert.deepEqual(read('You have to pay.'), ['you', 'must', 'pay']);
    assert.deepEqual(read('What they have, to be sure'), [
      'what',
      'they',
      'have',
      'to',
      'be',
      'sure',
    ]);
  });

  it('readWords takes one number for the same, however it is written', () => {
    const [digits] = readWords(lexicon, '4,200').entries;
    const [words] = readWords(lexicon, 'four thousand two hundred').entries;
    assert.equal(digits?.stem, words?.stem);
  });
});

describe('claimsOf', () => {
  const claims = (text: string, question?: string) =>
    claimsOf(
      readWords(lexicon, text),
      question === undefined ? undefined : readWords(lexicon, question),
    );

  const wordsOf = ({ words, from, to }: WordSpan) =>
    words.entries.slice(from, to).map(({ word }) => word);

  it('claimsOf omits opening words from the text of a claim but not from its place', () => {
    const text = 'According to the text, the boat is late.';
    const [claim] = claims(text);
    assert.deepEqual(claim && wordsOf(claim.span), ['the', 'boat', 'is', 'late']);
    assert.deepEqual([claim?.start, claim?.end], [0, text.length - 1]);
  });

  it('claimsOf joins a question with its answer, negated where the answer is no', () => {
    const negated = (text: string) => claims(text).map(({ span }) => span.negated);
    assert.deepEqual(negated('Is the boat late? No, that is wrong.'), [1]);
    assert.deepEqual(negated('Is the boat late? Yes, that is right.'), [0]);
    assert.deepEqual(negated('Is the boat late? It is not so.'), [1]);
  });

  it('claimsOf reads a bare yes or no as an answer to the question given', () => {
    const [claim] = claims('No.', 'Is the boat late?');
    assert.equal(claim?.span.negated, 1);
    assert.ok(claim !== undefined && wordsOf(claim.span).includes('boat'));
  });
});

describe('words', () => {
  const families = [
    ['study', 'studies', 'studied', 'studying'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['make', 'made', 'making'],
    ['child', 'children'],
    ['quick', 'quickly'],
  ];
  for (const family of families) {
    it(`readWords gives one stem to forms of a word: ${family.join(', ')}`, () => {
      assert.equal(new Set(family.map(stemOf)).size, 1);
    });
  }

  it('words are related as synonyms, opposites or similar spellings', () => {
    assert.ok(isSynonym(entry('bought'), entry('purchased')));
    assert.ok(isOpposite(entry('increase'), entry('decreased')));
    assert.ok(isOpposite(entry('happy'), entry('unhappy')));
    assert.ok(isDerived(entry('govern'), entry('governor')));
    assert.ok(!isOpposite(entry('door'), entry('indoor')) || entry('door').word.length >= 4);
    assert.ok(!isSynonym(entry('boat'), entry('water')));
  });

  it('words that only look like forms of function words keep their own stems', () => {
    for (const word of ['note', 'notes', 'hard']) {
      assert.equal(entry(word).kinds & KIND.negation, 0, word);
    }
    assert.equal(entry('is').kinds & KIND.unit, 0);
  });

  it('words that are negated keep their stem', () => {
    for (const [negated, plain] of [
      ["can't", 'can'],
      ['cannot', 'can'],
      ["won't", 'will'],
      ["isn't", 'is'],
    ] as const) {
      assert.equal(entry(negated).stem, entry(plain).stem, negated);
      assert.ok((entry(negated).kinds & KIND.negation) !== 0, negated);
    }
  });

  it('words are classified as denying, counting or grammatical', () => {
    assert.ok((entry("don't").kinds & KIND.negation) !== 0);
    assert.ok((entry('every').kinds & KIND.quantifier) !== 0);
    assert.ok((entry('the').kinds & KIND.function) !== 0);
    assert.ok((entry('toaster').kinds & KIND.function) === 0);
  });
});

describe('createPostings', () => {
  it('createPostings gives every place of every key, ascending, and none for other keys', () => {
    const key = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), key, (keys, other) => {
        const postings = createPostings(Int32Array.from(keys));
        for (const wanted of [...keys, other]) {
          if (wanted === 0) continue;
          const from = postings.find(wanted);
          const places = from < 0 ? [] : [...postings.places.slice(from, postings.endOf(from))];
          assert.deepEqual(
            places,
            [...keys.keys()].filter((place) => keys[place] === wanted),
          );
        }
      }),
    );
  });
});

describe('a file of word vectors', () => {
  const table = {
    stems: Int32Array.of(-5, 7, 900),
    weights: Uint8Array.of(20, 40, 255),
    names: Uint8Array.of(0, 1, 0),
    vectors: Int8Array.of(127, 0, 127, 10, -127, 0),
  };

  it('a file of word vectors is read back as it was written', () => {
    const vectors = readWordVectors(Buffer.from(writeWordVectors(table, 2)));
    assert.deepEqual([-5, 7, 900, 8].map(vectors.find), [0, 1, 2, -1]);
    assert.deepEqual([0, 1, 2].map(vectors.weight), [1, 2, 12.75]);
    assert.deepEqual([-1, 0, 1, 2].map(vectors.isName), [false, false, true, false]);
    assert.ok(vectors.cosine(0, 1) > 0.99 && vectors.cosine(0, 2) < -0.99);
    assert.equal(vectors.cosine(0, -1), 0);
  });

  it('a file of word vectors is refused when it is damaged', () => {
    const bytes = writeWordVectors(table, 2);
    for (const damaged of [
      bytes.slice(0, 10),
      bytes.slice(0, -1),
      bytes.slice().fill(0, 0, 4),
      new Uint8Array(0),
    ]) {
      assert.throws(() => readWordVectors(damaged), RangeError);
    }
  });
});
