import { createRandom } from './random.ts';
import type { WordCounts } from './word-counts.ts';

interface SparseRow {
  readonly columns: Int32Array;
  readonly values: Float32Array;
}

const SMOOTHING = 0.75;
const ROUNDS = 8;
/** Neighbours seen less often (a count of 1 is one time side by side) say nothing. */
const MIN_COUNT = 1.2;

/**
 * Vectors of words by a truncated eigendecomposition of their positive pointwise mutual information
 * (Levy and Goldberg 2014), found by subspace iteration from a seeded start. Rows come scaled by the
 * square root of the eigenvalues.
 */
export function wordSpace(counts: WordCounts, dimensions: number, seed: number): Float64Array[] {
  const matrix = toMutualInformation(counts);
  const random = createRandom(seed);
  let basis: Float64Array[] = Array.from({ length: dimensions }, () =>
    Float64Array.from(matrix, () => random.normal()),
  );
  for (let round = 0; round < ROUNDS; round++) {
    basis = basis.map((vector) => multiply(matrix, vector));
    orthonormalize(basis);
  }
  const images = basis.map((vector) => multiply(matrix, vector));
  const scales = basis.map(
    (vector, at) => Math.abs(dot(vector, images[at] as Float64Array)) ** 0.5,
  );
  return matrix.map((_, row) =>
    Float64Array.from(basis, (vector, at) => (vector[row] as number) * (scales[at] as number)),
  );
}

function toMutualInformation({ neighbours }: WordCounts): SparseRow[] {
  const sums = neighbours.map((row) => [...row.values()].reduce((a, b) => a + b, 0));
  const smoothed = sums.map((sum) => sum ** SMOOTHING);
  const total = smoothed.reduce((a, b) => a + b, 0);
  return neighbours.map((row, a) => {
    const columns: number[] = [];
    const values: number[] = [];
    for (const [b, count] of row) {
      const expected = ((sums[a] as number) * (smoothed[b] as number)) / total;
      const expectedBack = ((sums[b] as number) * (smoothed[a] as number)) / total;
      const information = Math.log(count / Math.sqrt(expected * expectedBack));
      if (information <= 0 || count < MIN_COUNT) continue;
      columns.push(b);
      values.push(information);
    }
    return { columns: Int32Array.from(columns), values: Float32Array.from(values) };
  });
}

function multiply(matrix: readonly SparseRow[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, ({ columns, values }) => {
    let sum = 0;
    for (let at = 0; at < columns.length; at++) {
      sum += (values[at] as number) * (vector[columns[at] as number] as number);
    }
    return sum;
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function orthonormalize(basis: readonly Float64Array[]): void {
  basis.forEach((vector, number) => {
    for (const earlier of basis.slice(0, number)) {
      const share = dot(vector, earlier);
      for (let at = 0; at < vector.length; at++) {
        vector[at] = (vector[at] as number) - share * (earlier[at] as number);
      }
    }
    const norm = Math.sqrt(dot(vector, vector)) || 1;
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / norm;
  });
}
