import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import type { WordVectors } from './word-vectors.ts';

/** The sum of the vectors of a row of words, weighted by the information of each word; all 0 for none. */
export function meanVector(entries: readonly Entry[], vectors: WordVectors): Float32Array {
  const { dimensions, values } = vectors;
  const mean = new Float32Array(dimensions);
  for (const entry of entries) {
    if (entry.row < 0 || (entry.kinds & KIND.function) !== 0) continue;
    const from = entry.row * dimensions;
    for (let at = 0; at < dimensions; at++) {
      mean[at] = (mean[at] as number) + entry.weight * (values[from + at] as number);
    }
  }
  return mean;
}

/** Cosine of two vectors, -1 to 1; 0 where one has no length. */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let left = 0;
  let right = 0;
  for (let at = 0; at < a.length; at++) {
    const x = a[at] as number;
    const y = b[at] as number;
    product += x * y;
    left += x * x;
    right += y * y;
  }
  return left === 0 || right === 0 ? 0 : product / Math.sqrt(left * right);
}
