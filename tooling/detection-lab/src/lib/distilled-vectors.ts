import { createLexicon, emptyWordVectors, KIND, readWords } from '@probity/pipeline/internal';
import type { Matrix } from './matrix.ts';
import {
  addRow,
  centerRows,
  fitLinearMap,
  multiply,
  principalDirections,
  rowOf,
  zeros,
} from './matrix.ts';

/** Sentences with what a sentence encoder makes of them, a row for each. */
export interface TeacherSentences {
  readonly sentences: readonly string[];
  readonly vectors: Matrix;
}

/** How much a word counts in a sentence, by the hash of its stem, and its row; undefined for an unknown one. */
export type WordShare = (
  stem: number,
) => { readonly row: number; readonly share: number } | undefined;

const RIDGE = 0.01;
/** Every so manieth sentence says in which directions sentences differ. */
const SAMPLE = 4;

/**
 * Vectors of words whose means come as near as a linear map can bring them to what a sentence encoder makes of
 * whole sentences, in the directions in which these differ most.
 */
export function distilledVectors(
  words: Matrix,
  { sentences, vectors }: TeacherSentences,
  wordShare: WordShare,
  dimensions: number,
  seed: number,
): Matrix {
  centerRows(vectors);
  const directions = principalDirections(vectors, dimensions, seed, SAMPLE);
  const targets = multiply(vectors, directions);
  return multiply(words, fitLinearMap(meansOf(sentences, words, wordShare), targets, RIDGE));
}

function meansOf(sentences: readonly string[], words: Matrix, wordShare: WordShare): Matrix {
  const means = zeros(sentences.length, words.columns);
  const lexicon = createLexicon(emptyWordVectors());
  sentences.forEach((sentence, at) => {
    const mean = rowOf(means, at);
    let total = 0;
    for (const { stem, kinds } of readWords(lexicon, sentence).entries) {
      const word = (kinds & KIND.function) !== 0 ? undefined : wordShare(stem);
      if (word === undefined) continue;
      addRow(mean, rowOf(words, word.row), word.share);
      total += word.share;
    }
    if (total > 0)
      mean.forEach((value, column) => {
        mean[column] = value / total;
      });
  });
  return means;
}
