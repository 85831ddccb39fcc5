import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import opposites from '../../src/language/data/opposites.json' with { type: 'json' };
import synonyms from '../../src/language/data/synonyms.json' with { type: 'json' };
import type { Entry } from '../../src/language/lexicon.ts';
import { createLexicon } from '../../src/language/lexicon.ts';
import { readRelatedWords, writeRelatedWords } from '../../src/language/related-words.ts';
import { isDerived, isOpposite, isSynonym, RELATION } from '../../src/language/word-relation.ts';
import {
  emptyWordVectors,
  readWordVectors,
  writeWordVectors,
} from '../../src/language/word-vectors.ts';
import { hashWord } from '../../src/tokens/word-hash.ts';

const lexicon = createLexicon(emptyWordVectors());
const entry = (word: string): Entry => lexicon.entry(hashWord(word), word, 0, word.length);
const entriesOf = (words: readonly string[]): Entry[] => words.map(entry);

describe('relations of words', () => {
  it('relations of words include every pair of the table of synonyms, the first time and again', () => {
    for (const group of synonyms) {
      const words = entriesOf(group).filter(({ senses }) => senses.length > 0);
      for (const a of words) {
        for (const b of words) {
          if (!isSynonym(a, b)) continue;
          assert.ok((lexicon.relation(a, b) & RELATION.synonym) !== 0, `${a.word} ${b.word}`);
          assert.equal(lexicon.relation(a, b), lexicon.relation(a, b));
        }
      }
    }
  });

  it('relations of words include every pair of the table of opposites, from either side', () => {
    for (const pair of opposites) {
      // "Cannot" is "can", denied.
      const [left = [], right = []] = pair.map((side) =>
        entriesOf(side.filter((word) => word !== 'cannot')),
      );
      for (const a of left) {
        for (const b of right) {
          assert.ok(isOpposite(a, b), `${a.word} ${b.word}`);
          assert.ok((lexicon.relation(a, b) & RELATION.opposite) !== 0, `${a.word} ${b.word}`);
          assert.ok((lexicon.relation(b, a) & RELATION.opposite) !== 0, `${b.word} ${a.word}`);
        }
      }
    }
  });

  it('relations of words include prefixes that deny, and forms of one word', () => {
    for (const [a, b] of [
      ['grateful', 'ungrateful'],
      ['disconnected', 'connected'],
    ] as const) {
      assert.ok((lexicon.relation(entry(a), entry(b)) & RELATION.opposite) !== 0, a);
    }
    assert.ok(isDerived(entry('toasts'), entry('toaster')));
    const bits = lexicon.relation(entry('toasts'), entry('toaster'));
    assert.ok((bits & RELATION.derived) !== 0);
    assert.equal(lexicon.relation(entry('toaster'), entry('violet')), 0);
  });

  it('relations of words hold what the file of relations says of two rows, but of no two units or days', () => {
    const words = ['walnut', 'nut', 'tuesday', 'friday'];
    const keys = words.map((word) => entry(word).stem).sort((a, b) => a - b);
    const rowOf = (word: string) => keys.indexOf(entry(word).stem);
    const table = {
      stems: Int32Array.from(keys),
      weights: Uint8Array.from(keys, () => 100),
      names: new Uint8Array(keys.length),
      vectors: new Int8Array(keys.length),
    };
    const lists = keys.map((): [number, number][] => []);
    lists[rowOf('walnut')]?.push([rowOf('nut'), RELATION.broader]);
    lists[rowOf('nut')]?.push([rowOf('walnut'), RELATION.narrower]);
    lists[rowOf('tuesday')]?.push([rowOf('friday'), RELATION.near], [rowOf('nut'), RELATION.near]);
    const related = writeRelatedWords({
      lengths: Uint8Array.from(lists, (list) => list.length),
      rows: Uint16Array.from(lists.flat(), ([row]) => row),
      bits: Uint8Array.from(lists.flat(), ([, bits]) => bits),
    });
    const vectors = readWordVectors(writeWordVectors(table, 1));
    const learned = createLexicon(vectors, readRelatedWords(related));
    const [walnut, nut, tuesday, friday] = words.map((word) =>
      learned.entry(hashWord(word), word, 0, word.length),
    ) as [Entry, Entry, Entry, Entry];
    assert.equal(learned.relation(walnut, nut), RELATION.broader);
    assert.equal(learned.relation(nut, walnut), RELATION.narrower);
    assert.equal(learned.relation(tuesday, nut), RELATION.near);
    assert.equal(learned.relation(nut, tuesday), 0);
    assert.equal(learned.relation(tuesday, friday) & RELATION.near, 0);
  });
});
