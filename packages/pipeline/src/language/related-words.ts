/** Which words can stand for which, by dictionary: for each row of the word vectors a list of rows. */
export interface RelatedWords {
  /** How many rows there are. */
  readonly size: number;
  /** How `b` relates to `a`: bits of RELATION; 0 where nothing is known. */
  between(a: number, b: number): number;
  /** Index of the first related row of a row, and behind its last one; equal where there are none. */
  first(row: number): number;
  /** The related rows of all rows, one list after the other, and how each relates. */
  readonly rows: Uint16Array;
  readonly bits: Uint8Array;
}

/** The lists of a file, one after the other. */
export interface RelatedWordTable {
  /** How long the list of each row is. */
  readonly lengths: Uint8Array;
  readonly rows: Uint16Array;
  readonly bits: Uint8Array;
}

const MAGIC = 0x31525250;
const HEADER = 12;

/** Nothing is related to anything. */
export function emptyRelatedWords(): RelatedWords {
  return createRelatedWords({
    lengths: new Uint8Array(0),
    rows: new Uint16Array(0),
    bits: new Uint8Array(0),
  });
}

/**
 * Reads a file of related words.
 *
 * @throws RangeError when the bytes are no such file, cut short, or about rows that are not there
 */
export function readRelatedWords(bytes: Uint8Array): RelatedWords {
  const head = new DataView(bytes.buffer, bytes.byteOffset, Math.min(HEADER, bytes.byteLength));
  if (bytes.byteLength < HEADER || head.getUint32(0, true) !== MAGIC) {
    throw new RangeError('the data is not a file of related words');
  }
  const size = head.getUint32(4, true);
  const count = head.getUint32(8, true);
  if (bytes.byteLength !== HEADER + size + count * 3) {
    throw new RangeError('the file of related words is too short or too long');
  }
  const lengths = bytes.subarray(HEADER, HEADER + size);
  const bits = bytes.subarray(HEADER + size, HEADER + size + count);
  const view = new DataView(bytes.buffer, bytes.byteOffset + HEADER + size + count);
  const rows = new Uint16Array(count);
  let sum = 0;
  for (const length of lengths) sum += length;
  let largest = -1;
  for (let at = 0; at < count; at++) {
    const row = view.getUint16(at * 2, true);
    rows[at] = row;
    if (row > largest) largest = row;
  }
  if (sum !== count || largest >= size) {
    throw new RangeError('the lists of the file of related words refer to other rows');
  }
  return createRelatedWords({ lengths, rows, bits });
}

/** The bytes that {@link readRelatedWords} reads. */
export function writeRelatedWords({ lengths, rows, bits }: RelatedWordTable): Uint8Array {
  const bytes = new Uint8Array(HEADER + lengths.length + rows.length * 3);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, lengths.length, true);
  view.setUint32(8, rows.length, true);
  bytes.set(lengths, HEADER);
  bytes.set(bits, HEADER + lengths.length);
  const rowsAt = HEADER + lengths.length + bits.length;
  rows.forEach((row, at) => {
    view.setUint16(rowsAt + at * 2, row, true);
  });
  return bytes;
}

function createRelatedWords({ lengths, rows, bits }: RelatedWordTable): RelatedWords {
  const starts = new Uint32Array(lengths.length + 1);
  for (let row = 0; row < lengths.length; row++) {
    starts[row + 1] = (starts[row] as number) + (lengths[row] as number);
  }
  return {
    size: lengths.length,
    rows,
    bits,
    first: (row) => starts[row] ?? 0,
    between(a, b) {
      if (a < 0 || b < 0 || a >= lengths.length) return 0;
      const to = starts[a + 1] as number;
      for (let at = starts[a] as number; at < to; at++) {
        if (rows[at] === b) return bits[at] as number;
      }
      return 0;
    },
  };
}
