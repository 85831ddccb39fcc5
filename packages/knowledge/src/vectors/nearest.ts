import type { VectorMatch } from './types.ts';

/** Nearest first, equally near ones by id. */
export function byNearness(left: VectorMatch, right: VectorMatch): number {
  return right.similarity - left.similarity || (left.id < right.id ? -1 : 1);
}

/** A vector of length 1 in the same direction; one without length stays as it is. */
export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector.slice();
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}
