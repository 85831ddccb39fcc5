import { stemOf } from '../language/stem.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import { kindOf, LETTER } from '../tokens/characters.ts';
import { hashWord } from '../tokens/word-hash.ts';
import type { TextFeatures } from './text-features.ts';

/** The row of a token that is a number or a sign. */
export const NO_WORD = -2;
/** The row of a word that the table of vectors does not have. */
export const UNKNOWN_WORD = -1;

/** One unit of the 8-bit vectors. */
const STEP = 1 / 40;
/** A word with so much information, in nats, or more counts fully. */
const FULL_WEIGHT = 9;
/** The mean of a few words is divided by at least this weight, so that one word stays a weak sign. */
const LEAST_WEIGHT = 2;
const MEAN_POWER = 0.75;

/** How many numbers `poolWords` writes: mean, largest and smallest of each dimension, length, unknown words. */
export function poolSize({ dimensions }: WordVectors): number {
  return 3 * dimensions + 2;
}

/** The rows of the tokens from `from` up to `to`; {@link UNKNOWN_WORD} or {@link NO_WORD} for others. */
export function rowsOfWords(
  { text, wordStarts, wordEnds }: TextFeatures,
  vectors: WordVectors,
  from: number,
  to: number,
): Int32Array {
  const rows = new Int32Array(to - from);
  for (let at = from; at < to; at++) {
    const start = wordStarts[at] as number;
    const isWord = kindOf(text.charCodeAt(start)) === LETTER;
    const word = isWord ? text.slice(start, wordEnds[at]) : '';
    rows[at - from] = isWord ? vectors.find(hashWord(stemOf(word))) : NO_WORD;
  }
  return rows;
}

/**
 * Summarizes the words of a window: the mean, largest and smallest value of each dimension of their
 * vectors, each weighted by the information of the word; the number of tokens; the share of unknown words.
 *
 * @param into `poolSize` numbers, overwritten
 */
export function poolWords(
  vectors: WordVectors,
  rows: Int32Array,
  from: number,
  to: number,
  into: Float64Array,
): void {
  const { dimensions, values } = vectors;
  let total = 0;
  let known = 0;
  let unknown = 0;
  into.fill(0);
  for (let at = from; at < to; at++) {
    const row = rows[at] as number;
    if (row === UNKNOWN_WORD) unknown++;
    if (row < 0) continue;
    const weight = Math.min(1, vectors.weight(row) / FULL_WEIGHT);
    total += weight;
    for (let dimension = 0; dimension < dimensions; dimension++) {
      const value = (values[row * dimensions + dimension] as number) * STEP * weight;
      const high = dimensions + dimension;
      const low = high + dimensions;
      into[dimension] = (into[dimension] as number) + value;
      if (known === 0 || value > (into[high] as number)) into[high] = value;
      if (known === 0 || value < (into[low] as number)) into[low] = value;
    }
    known++;
  }
  const divisor = Math.max(LEAST_WEIGHT, total) ** MEAN_POWER;
  for (let dimension = 0; dimension < dimensions; dimension++) {
    into[dimension] = (into[dimension] as number) / divisor;
  }
  into[3 * dimensions] = Math.log(1 + to - from) / 5;
  into[3 * dimensions + 1] = unknown / Math.max(1, known + unknown);
}
