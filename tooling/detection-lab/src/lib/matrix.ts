import { createRandom } from '@probity/test-support/random';

/** Numbers in rows, one row after the other. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** A matrix of zeros. */
export function zeros(rows: number, columns: number): Matrix {
  return { rows, columns, values: new Float32Array(rows * columns) };
}

/** One row of a matrix, as a view. */
export function rowOf({ columns, values }: Matrix, row: number): Float32Array {
  return values.subarray(row * columns, (row + 1) * columns);
}

/** Adds `share` times a row to a sum. */
export function addRow(sum: Float32Array | Float64Array, row: Float32Array, share: number): void {
  for (let at = 0; at < row.length; at++) {
    sum[at] = (sum[at] as number) + share * (row[at] as number);
  }
}

/** Takes the mean of all rows off each. */
export function centerRows(matrix: Matrix): void {
  const mean = new Float64Array(matrix.columns);
  for (let row = 0; row < matrix.rows; row++) addRow(mean, rowOf(matrix, row), 1 / matrix.rows);
  const shift = Float32Array.from(mean, (value) => -value);
  for (let row = 0; row < matrix.rows; row++) addRow(rowOf(matrix, row), shift, 1);
}

/** Brings each row to a length; rows of zeros stay. */
export function scaleRows(matrix: Matrix, length: number): void {
  for (let at = 0; at < matrix.rows; at++) {
    const row = rowOf(matrix, at);
    const norm = Math.sqrt(dot(row, row));
    if (norm > 0)
      row.forEach((value, column) => {
        row[column] = (value * length) / norm;
      });
  }
}

/** The matrix product of `left` and `right`. */
export function multiply(left: Matrix, right: Matrix): Matrix {
  const product = zeros(left.rows, right.columns);
  for (let row = 0; row < left.rows; row++) {
    const to = rowOf(product, row);
    rowOf(left, row).forEach((value, at) => {
      if (value !== 0) addRow(to, rowOf(right, at), value);
    });
  }
  return product;
}

const ROUNDS = 24;

/**
 * The directions in which the rows of a centered matrix differ most, as the columns of a matrix, by subspace
 * iteration from a seeded start; orthonormal.
 *
 * @param sample every so manieth row is looked at
 */
export function principalDirections(
  matrix: Matrix,
  count: number,
  seed: number,
  sample = 1,
): Matrix {
  const size = matrix.columns;
  const products = productsOf(matrix, sample);
  const random = createRandom(seed);
  let basis: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length: size }, () => random.normal()),
  );
  for (let round = 0; round < ROUNDS; round++) {
    orthonormalize(basis);
    basis = basis.map((vector) => applySquare(products, size, vector));
  }
  orthonormalize(basis);
  const directions = zeros(size, count);
  basis.forEach((vector, column) => {
    vector.forEach((value, row) => {
      directions.values[row * count + column] = value;
    });
  });
  return directions;
}

/** The columns' products with each other, summed over the rows. */
function productsOf(matrix: Matrix, sample: number): Float64Array {
  const size = matrix.columns;
  const products = new Float64Array(size * size);
  for (let at = 0; at < matrix.rows; at += sample) {
    const row = rowOf(matrix, at);
    for (let a = 0; a < size; a++) {
      const value = row[a] as number;
      if (value === 0) continue;
      const from = a * size;
      for (let b = 0; b < size; b++) {
        products[from + b] = (products[from + b] as number) + value * (row[b] as number);
      }
    }
  }
  return products;
}

function applySquare(square: Float64Array, size: number, vector: Float64Array): Float64Array {
  return Float64Array.from({ length: size }, (_, row) => {
    let sum = 0;
    for (let at = 0; at < size; at++)
      sum += (square[row * size + at] as number) * (vector[at] as number);
    return sum;
  });
}

/** Makes vectors of length 1 that stand upright on each other (Gram and Schmidt), in place. */
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

/** The sum of the products of two rows. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/**
 * The matrix that takes the rows of `inputs` nearest to those of `outputs` (least squares, with `ridge` times
 * the mean square of a column to keep it small), by Cholesky's decomposition.
 */
export function fitLinearMap(inputs: Matrix, outputs: Matrix, ridge: number): Matrix {
  const size = inputs.columns;
  const square = productsOf(inputs, 1);
  let trace = 0;
  for (let at = 0; at < size; at++) trace += square[at * size + at] as number;
  for (let at = 0; at < size; at++) {
    square[at * size + at] = (square[at * size + at] as number) + (ridge * trace) / size;
  }
  const sums = Array.from({ length: size }, () => new Float64Array(outputs.columns));
  for (let row = 0; row < inputs.rows; row++) {
    const to = rowOf(outputs, row);
    rowOf(inputs, row).forEach((value, at) => {
      if (value !== 0) addRow(sums[at] as Float64Array, to, value);
    });
  }
  decompose(square, size);
  const solved = zeros(size, outputs.columns);
  for (let column = 0; column < outputs.columns; column++) {
    const solution = solve(
      square,
      size,
      Float64Array.from(sums, (sum) => sum[column] as number),
    );
    solution.forEach((value, row) => {
      solved.values[row * outputs.columns + column] = value;
    });
  }
  return solved;
}

/** Puts the lower triangle whose square a positive matrix is in its place. */
function decompose(square: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = square[row * size + column] as number;
      for (let at = 0; at < column; at++) {
        sum -= (square[row * size + at] as number) * (square[column * size + at] as number);
      }
      square[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (square[column * size + column] as number);
    }
  }
}

function solve(triangle: Float64Array, size: number, right: Float64Array): Float64Array {
  for (let row = 0; row < size; row++) {
    let sum = right[row] as number;
    for (let at = 0; at < row; at++)
      sum -= (triangle[row * size + at] as number) * (right[at] as number);
    right[row] = sum / (triangle[row * size + row] as number);
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = right[row] as number;
    for (let at = row + 1; at < size; at++) {
      sum -= (triangle[at * size + row] as number) * (right[at] as number);
    }
    right[row] = sum / (triangle[row * size + row] as number);
  }
  return right;
}
