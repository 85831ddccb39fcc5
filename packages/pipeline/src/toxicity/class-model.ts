import { crc32 } from 'node:zlib';
import type { FeatureSums } from '../models/feature-sums.ts';
import type { LinearModel } from '../models/model-file.ts';
import { ModelFileError, readModel, writeModel } from '../models/model-file.ts';
import { createClassFeatures, readClassFeatures } from './class-features.ts';
import type { ClassEntry, WordClasses } from './word-classes.ts';
import { createWordClasses } from './word-classes.ts';

/** Which words are of which class, and what the classes weigh for every head. */
export interface ClassModel {
  readonly entries: readonly ClassEntry[];
  /** Classes below this number say something by themselves. */
  readonly content: number;
  readonly weights: LinearModel;
}

const MAGIC = 0x31_43_42_50;
const FIXED_BYTES = 16;
const ENTRY_BYTES = 5;
const MOST_AT_ONCE = 256;

/**
 * The bytes of a model: the letters `PBC1`, a CRC-32 of all that follows, the number of words, the
 * number below which classes say something by themselves, for each word its hash and its class, and
 * the weights as `writeModel` gives them.
 */
export function writeClassModel({ entries, content, weights }: ClassModel): Uint8Array {
  const tail = writeModel(weights);
  const start = FIXED_BYTES + entries.length * ENTRY_BYTES;
  const bytes = new Uint8Array(start + tail.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(8, entries.length, true);
  view.setUint32(12, content, true);
  entries.forEach(([word, number], at) => {
    view.setInt32(FIXED_BYTES + at * ENTRY_BYTES, word, true);
    view.setUint8(FIXED_BYTES + at * ENTRY_BYTES + 4, number);
  });
  bytes.set(tail, start);
  view.setUint32(4, crc32(bytes.subarray(8)), true);
  return bytes;
}

/**
 * Reads a model of classes; its weights share memory with `bytes`.
 *
 * @throws ModelFileError when the bytes are damaged, cut short or of another kind
 */
export function readClassModel(bytes: Uint8Array): ClassModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < FIXED_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new ModelFileError('not a file of word classes of this version');
  }
  if (view.getUint32(4, true) !== crc32(bytes.subarray(8))) {
    throw new ModelFileError('the file of word classes is damaged: its checksum differs');
  }
  const entries = Array.from({ length: view.getUint32(8, true) }, (_, at): ClassEntry => {
    const from = FIXED_BYTES + at * ENTRY_BYTES;
    return [view.getInt32(from, true), view.getUint8(from + 4)];
  });
  const weights = readModel(bytes.subarray(FIXED_BYTES + entries.length * ENTRY_BYTES));
  return { entries, content: view.getUint32(12, true), weights };
}

/** Makes the function that adds what the classes of a text's words weigh to its running sums. */
export function createClassSums(model: ClassModel): FeatureSums {
  const classes: WordClasses = createWordClasses(model.entries);
  const read = createClassFeatures();
  const { weights, heads: described, bits } = model.weights;
  const heads = described.length;
  const steps = Float64Array.from(described, ({ step }) => step);
  const mask = 2 ** bits - 1;
  const places = new Int32Array(MOST_AT_ONCE);
  const sums = new Int32Array(heads);

  /** Adds the weights of up to MOST_AT_ONCE features, head by head: a sum in a variable is quick. */
  function add(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      places[at - from] = ((read.hashes[at] as number) & mask) * heads;
    }
    const count = to - from;
    for (let head = 0; head < heads; head++) {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += weights[(places[at] as number) + head] as number;
      sums[head] = (sums[head] as number) + sum;
    }
  }

  return (features, into) => {
    readClassFeatures(features, classes, model.content, read);
    sums.fill(0);
    const { firstHash } = read;
    for (let segment = 0; segment < features.segments; segment++) {
      const last = firstHash[segment + 1] as number;
      for (let at = firstHash[segment] as number; at < last; at += MOST_AT_ONCE) {
        add(at, Math.min(last, at + MOST_AT_ONCE));
      }
      const base = (segment + 1) * heads;
      for (let head = 0; head < heads; head++) {
        into[base + head] =
          (into[base + head] as number) + (sums[head] as number) * (steps[head] as number);
      }
    }
  };
}
