import { hashWord, stemOf } from '@probity/pipeline/internal';
import type { Matrix } from './matrix.ts';
import { addRow, rowOf, scaleRows, zeros } from './matrix.ts';

/** A stem with the words that have it. */
export interface StemForms {
  readonly stem: string;
  /** As in a lexicon's entries. */
  readonly hash: number;
  /** Numbers of the words, in the order of their ranks. */
  readonly words: readonly number[];
  /** Rank of the most frequent one. */
  readonly rank: number;
}

/** The stems of words that come with their ranks, the most frequent first. */
export function groupByStem(words: readonly string[], ranks: Int32Array): StemForms[] {
  const groups = new Map<string, number[]>();
  words.forEach((word, number) => {
    const stem = stemOf(word.replace(/'(?:s|re|ve|ll|d|m)?$/, ''));
    const held = groups.get(stem) ?? [];
    groups.set(stem, held);
    held.push(number);
  });
  return [...groups].map(([stem, numbers]) => ({
    stem,
    hash: hashWord(stem),
    words: numbers,
    rank: ranks[numbers[0] as number] as number,
  }));
}

/** A vector for each stem: the mean of its words', the frequent ones more, of length 1. */
export function stemVectors(stems: readonly StemForms[], ranks: Int32Array, words: Matrix): Matrix {
  const vectors = zeros(stems.length, words.columns);
  stems.forEach((stem, row) => {
    for (const word of stem.words) {
      addRow(rowOf(vectors, row), rowOf(words, word), 1 / Math.sqrt(20 + (ranks[word] as number)));
    }
  });
  scaleRows(vectors, 1);
  return vectors;
}
