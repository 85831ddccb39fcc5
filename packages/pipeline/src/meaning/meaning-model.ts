import type { CurvePoint } from '../models/model-file.ts';
import { ModelFileError, scoreAt } from '../models/model-file.ts';
import type { SmallNet } from '../models/small-net.ts';
import { readNet, runNet, writeNet } from '../models/small-net.ts';

/** How many numbers the encoder makes of a text. */
export const VECTOR_SIZE = 512;
/** Makes the numbers of a vector about as large as 1. */
const VECTOR_SCALE = 16;
/** Log-odds of a score of 0 or 1. */
const MOST_ODDS = 8;

/**
 * A model that judges a text again by its meaning. Its net reads the vector of the text and returns a summand for the
 * log-odds of each type, and last one for the log-odds of the whole.
 */
export interface MeaningModel {
  readonly types: readonly string[];
  /** The score of the stage from which a text is judged again. */
  readonly screen: number;
  /** From log-odds to scores. */
  readonly curve: readonly CurvePoint[];
  readonly net: SmallNet;
}

const MAGIC = 'PBM1';
const FIXED_BYTES = 8;

/** The bytes of a model: the letters `PBM1`, the length of the description, the description (JSON), the net. */
export function writeMeaning({ net, ...description }: MeaningModel): Uint8Array {
  const text = Buffer.from(JSON.stringify(description));
  const head = Buffer.from(`${MAGIC}0000`);
  head.writeUInt32LE(text.length, 4);
  return Buffer.concat([head, text, writeNet(net)]);
}

/**
 * Reads a model.
 *
 * @throws ModelFileError when the bytes are damaged, cut short or of another kind
 */
export function readMeaning(bytes: Uint8Array): MeaningModel {
  const head = Buffer.from(bytes.subarray(0, FIXED_BYTES));
  if (head.length < FIXED_BYTES || head.toString('latin1', 0, 4) !== MAGIC) {
    throw new ModelFileError('not a file of the tier meaning of this version');
  }
  const end = FIXED_BYTES + head.readUInt32LE(4);
  const net = readNet(bytes.subarray(end));
  const text = new TextDecoder().decode(bytes.subarray(FIXED_BYTES, end));
  const model = { ...(JSON.parse(text) as Omit<MeaningModel, 'net'>), net };
  const { inputs, heads } = net;
  if (inputs === VECTOR_SIZE && heads === model.types.length + 1) return model;
  throw new ModelFileError('the net of the tier meaning has other types than its description');
}

/** The log-odds of scores, to which the output of the net is added. */
export function toOdds(scores: readonly number[]): number[] {
  return scores.map((score) => {
    const odds = Math.log(score / (1 - score));
    return Math.min(MOST_ODDS, Math.max(-MOST_ODDS, odds));
  });
}

/** The input of the net. */
export function meaningInput(vector: Float32Array): Float64Array {
  return Float64Array.from(vector, (value) => value * VECTOR_SCALE);
}

/**
 * The log-odds of each type with the output of the net added. The strongest type gets the log-odds of the whole;
 * another type gets as much less as it is below the strongest.
 */
export function addMeaning(odds: readonly number[], added: readonly number[]): number[] {
  const whole = Math.max(...odds) + (added[odds.length] as number);
  const byType = odds.map((value, at) => value + (added[at] as number));
  const strongest = Math.max(...byType);
  return byType.map((value) => whole - (strongest - value));
}

/** The scores of the types, once the meaning of the text is known. */
export function judgeMeaning(
  { net, curve }: MeaningModel,
  vector: Float32Array,
  scores: readonly number[],
): number[] {
  const added = runNet(net, meaningInput(vector));
  return addMeaning(toOdds(scores), added).map((value) => scoreAt(curve, value));
}
