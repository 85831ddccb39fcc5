import { crc32 } from 'node:zlib';
import type { FeatureSums } from '../models/feature-sums.ts';
import type { LinearModel } from '../models/model-file.ts';
import { ModelFileError } from '../models/model-file.ts';
import { createClassFeatures, readClassFeatures } from './class-features.ts';
import type { ClassEntry } from './word-classes.ts';
import { createWordClasses } from './word-classes.ts';

/** Which words are of which class. */
export interface ClassTable {
  readonly entries: readonly ClassEntry[];
  /** Classes below this number say something by themselves. */
  readonly content: number;
}

const MAGIC = 0x32_43_42_50;
const FIXED_BYTES = 12;
const ENTRY_BYTES = 5;

/**
 * The bytes of a table: the letters `PBC2`, a CRC-32 of all that follows, the number below which
 * classes say something by themselves, and for each word its hash and its class.
 */
export function writeClasses({ entries, content }: ClassTable): Uint8Array {
  const bytes = new Uint8Array(FIXED_BYTES + entries.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(8, content, true);
  entries.forEach(([word, number], at) => {
    view.setInt32(FIXED_BYTES + at * ENTRY_BYTES, word, true);
    view.setUint8(FIXED_BYTES + at * ENTRY_BYTES + 4, number);
  });
  view.setUint32(4, crc32(bytes.subarray(8)), true);
  return bytes;
}

/**
 * Reads a table of classes.
 *
 * @throws ModelFileError when the bytes are damaged, cut short or of another kind
 */
export function readClasses(bytes: Uint8Array): ClassTable {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < FIXED_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new ModelFileError('not a file of word classes of this version');
  }
  if (view.getUint32(4, true) !== crc32(bytes.subarray(8))) {
    throw new ModelFileError('the file of word classes is damaged: its checksum differs');
  }
  const length = (bytes.length - FIXED_BYTES) / ENTRY_BYTES;
  const entries = Array.from({ length }, (_, at): ClassEntry => {
    const from = FIXED_BYTES + at * ENTRY_BYTES;
    return [view.getInt32(from, true), view.getUint8(from + 4)];
  });
  return { entries, content: view.getUint32(8, true) };
}

/**
 * Makes the function that adds the weights of a text's word classes to its running sums. The table of
 * the model holds the weights of words and of classes.
 */
export function createClassSums(
  { entries, content }: ClassTable,
  { weights, heads: described, bits }: LinearModel,
): FeatureSums {
  const classes = createWordClasses(entries);
  const read = createClassFeatures();
  const heads = described.length;
  const steps = Float64Array.from(described, ({ step }) => step);
  const mask = 2 ** bits - 1;
  const sums = new Int32Array(heads);
  return (features, into) => {
    readClassFeatures(features, classes, content, read);
    sums.fill(0);
    const { hashes, firstHash } = read;
    for (let segment = 0; segment < features.segments; segment++) {
      const last = firstHash[segment + 1] as number;
      for (let at = firstHash[segment] as number; at < last; at++) {
        const place = ((hashes[at] as number) & mask) * heads;
        for (let head = 0; head < heads; head++) {
          sums[head] = (sums[head] as number) + (weights[place + head] as number);
        }
      }
      const base = (segment + 1) * heads;
      for (let head = 0; head < heads; head++) {
        into[base + head] =
          (into[base + head] as number) + (sums[head] as number) * (steps[head] as number);
      }
    }
  };
}
