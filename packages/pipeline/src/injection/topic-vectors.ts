const MAGIC = 0x31_56_54_50;
const HEADER = 12;

/** What words are about: a row of whole numbers for each word, the longer the rarer the word is. */
export interface TopicTable {
  readonly dimensions: number;
  /** The words' hashes, as readFeatures gives them. */
  readonly words: Int32Array;
  /** Their vectors, side by side. */
  readonly vectors: Int8Array;
}

/**
 * Reads a file of topic vectors.
 *
 * @throws RangeError when the bytes are no such file or are cut short
 */
export function readTopics(bytes: Uint8Array): TopicTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new RangeError('the data is not a file of topic vectors');
  }
  const dimensions = view.getUint32(4, true);
  const count = view.getUint32(8, true);
  const start = HEADER + 4 * count;
  if (bytes.byteLength !== start + count * dimensions) {
    throw new RangeError('the file of topic vectors is too short or too long');
  }
  const words = Int32Array.from({ length: count }, (_, at) => view.getInt32(HEADER + 4 * at, true));
  const vectors = new Int8Array(bytes.buffer, bytes.byteOffset + start, count * dimensions);
  return { dimensions, words, vectors };
}

/** The bytes that {@link readTopics} reads. */
export function writeTopics({ dimensions, words, vectors }: TopicTable): Uint8Array {
  const start = HEADER + 4 * words.length;
  const bytes = new Uint8Array(start + vectors.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, dimensions, true);
  view.setUint32(8, words.length, true);
  words.forEach((word, at) => {
    view.setInt32(HEADER + 4 * at, word, true);
  });
  bytes.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), start);
  return bytes;
}

/** Adds the vector of word number `row` to a sum. */
export function addTopic(
  { dimensions, vectors }: TopicTable,
  row: number,
  sum: Float64Array,
): void {
  const from = row * dimensions;
  for (let at = 0; at < dimensions; at++) {
    sum[at] = (sum[at] as number) + (vectors[from + at] as number);
  }
}

/**
 * The cosine of a vector and the sum of two others, which begin at `from` and `to` of their arrays;
 * 0 where one is 0. Of a negative `to` nothing is added.
 */
export function likeness(
  one: Float64Array,
  left: Float64Array,
  from: number,
  right: Float64Array,
  to: number,
): number {
  let product = 0;
  let own = 0;
  let other = 0;
  for (let at = 0; at < one.length; at++) {
    const a = one[at] as number;
    const b = (left[from + at] as number) + (to < 0 ? 0 : (right[to + at] as number));
    product += a * b;
    own += a * a;
    other += b * b;
  }
  return own === 0 || other === 0 ? 0 : product / Math.sqrt(own * other);
}
