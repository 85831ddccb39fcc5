/** Learned facts about word stems: the information of each, and a vector of its contexts. */
export interface WordVectors {
  readonly size: number;
  readonly dimensions: number;
  /** Row of a stem, by its hash, or -1. */
  find(stem: number): number;
  /** The information of the word of a row, in nats; for a row of -1 that of an unknown word. */
  weight(row: number): number;
  /** Whether the word of a row is rather a name than a common word; not of an unknown one. */
  isName(row: number): boolean;
  /** All vectors, row by row, each of about the same length. */
  readonly values: Int8Array;
  /** Cosine of two rows, -1 to 1; 0 where either is unknown. */
  cosine(a: number, b: number): number;
}

const MAGIC = 0x32575650;
const HEADER = 16;
const UNKNOWN_WEIGHT = 9;
const WEIGHT_SCALE = 20;

/** The words of a file: stem hashes in ascending order, weights, vectors. */
export interface WordVectorTable {
  readonly stems: Int32Array;
  readonly weights: Uint8Array;
  /** 1 for what is rather a name. */
  readonly names: Uint8Array;
  readonly vectors: Int8Array;
}

/** No learned words: every word is unknown and has the same information. */
export function emptyWordVectors(): WordVectors {
  const empty = {
    stems: new Int32Array(0),
    weights: new Uint8Array(0),
    names: new Uint8Array(0),
    vectors: new Int8Array(0),
  };
  return createWordVectors(empty, 1);
}

/**
 * Reads a file of word vectors.
 *
 * @throws RangeError when the bytes are no such file, or cut short
 */
export function readWordVectors(bytes: Uint8Array): WordVectors {
  const head = new DataView(bytes.buffer, bytes.byteOffset, Math.min(HEADER, bytes.byteLength));
  if (bytes.byteLength < HEADER || head.getUint32(0, true) !== MAGIC) {
    throw new RangeError('the data is not a file of word vectors');
  }
  const size = head.getUint32(4, true);
  const dimensions = head.getUint32(8, true);
  if (bytes.byteLength !== HEADER + size * (6 + dimensions)) {
    throw new RangeError('the file of word vectors is too short or too long');
  }
  const stems = new Int32Array(size);
  const view = new DataView(bytes.buffer, bytes.byteOffset + HEADER, size * 4);
  for (let row = 0; row < size; row++) stems[row] = view.getInt32(row * 4, true);
  const weights = bytes.subarray(HEADER + size * 4, HEADER + size * 5);
  const names = bytes.subarray(HEADER + size * 5, HEADER + size * 6);
  const vectorsAt = bytes.byteOffset + HEADER + size * 6;
  const vectors = new Int8Array(bytes.buffer, vectorsAt, size * dimensions);
  return createWordVectors({ stems, weights, names, vectors }, dimensions);
}

/** The bytes that {@link readWordVectors} reads. Weights are in twentieths of a nat. */
export function writeWordVectors(table: WordVectorTable, dimensions: number): Uint8Array {
  const size = table.stems.length;
  const bytes = new Uint8Array(HEADER + size * (6 + dimensions));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, size, true);
  view.setUint32(8, dimensions, true);
  table.stems.forEach((stem, row) => {
    view.setInt32(HEADER + row * 4, stem, true);
  });
  bytes.set(table.weights, HEADER + size * 4);
  bytes.set(table.names, HEADER + size * 5);
  bytes.set(
    new Uint8Array(table.vectors.buffer, table.vectors.byteOffset, size * dimensions),
    HEADER + size * 6,
  );
  return bytes;
}

function createWordVectors(
  { stems, weights, names, vectors }: WordVectorTable,
  dimensions: number,
): WordVectors {
  const norms = new Float32Array(stems.length);
  // Few of the words are ever looked up.
  const normOf = (row: number): number => {
    if (norms[row] === 0) norms[row] = Math.sqrt(dot(vectors, row, row, dimensions)) || -1;
    return norms[row] as number;
  };
  const cosine = (a: number, b: number): number => {
    if (a < 0 || b < 0) return 0;
    const length = Math.max(0, normOf(a)) * Math.max(0, normOf(b));
    return length === 0 ? 0 : dot(vectors, a, b, dimensions) / length;
  };
  return {
    size: stems.length,
    dimensions,
    values: vectors,
    find(stem) {
      let low = 0;
      let high = stems.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((stems[middle] as number) < stem) low = middle + 1;
        else high = middle;
      }
      return stems[low] === stem ? low : -1;
    },
    weight: (row) => (row < 0 ? UNKNOWN_WEIGHT : (weights[row] as number) / WEIGHT_SCALE),
    isName: (row) => names[row] === 1,
    cosine,
  };
}

function dot(values: Int8Array, a: number, b: number, dimensions: number): number {
  let sum = 0;
  for (let at = 0; at < dimensions; at++) {
    sum += (values[a * dimensions + at] as number) * (values[b * dimensions + at] as number);
  }
  return sum;
}
