import { crc32 } from 'node:zlib';
import type { WindowScale } from './windows.ts';

/** A point of a head's curve: log-odds as the model gives them, and the score that they stand for. */
export type CurvePoint = readonly [logOdds: number, score: number];

/** What one output of a model is called and how it is read. */
interface ModelHead {
  readonly name: string;
  /** One step of the 8-bit weights. */
  readonly step: number;
  readonly bias: number;
  /** Rising points; between them the score is interpolated, outside the ends it stays. */
  readonly curve: readonly CurvePoint[];
}

/** Log-odds that a text loses by its length in tokens; rising lengths, joined by straight lines. */
export type LengthOdds = readonly (readonly [tokens: number, lost: number])[];

/** A linear model over hashed features: for every place a byte per head, side by side. */
export interface LinearModel {
  readonly bits: number;
  readonly scale: WindowScale;
  /** Of a model that judges whole texts: what each loses by its length. */
  readonly lengths?: LengthOdds | undefined;
  /** Log-odds from which a second, slower model judges a text. */
  readonly screen?: number | undefined;
  readonly heads: readonly ModelHead[];
  readonly weights: Int8Array;
}

/** A weights file that is not what it should be. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

const MAGIC = 0x31_4c_42_50;
const FIXED_BYTES = 12;
const MOST_BITS = 20;

/**
 * The bytes of a model: the letters `PBL1`, a CRC-32 of all that follows, the length of the
 * description, the description (JSON), and the weights.
 */
export function writeModel(model: LinearModel): Uint8Array {
  const { weights, ...description } = model;
  const text = new TextEncoder().encode(JSON.stringify(description));
  const bytes = new Uint8Array(FIXED_BYTES + text.length + weights.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(8, text.length, true);
  bytes.set(text, FIXED_BYTES);
  bytes.set(
    new Uint8Array(weights.buffer, weights.byteOffset, weights.length),
    FIXED_BYTES + text.length,
  );
  view.setUint32(4, crc32(bytes.subarray(8)), true);
  return bytes;
}

/**
 * Reads a model; its weights share memory with `bytes`.
 *
 * @throws ModelFileError when the bytes are damaged, cut short or of another kind
 */
export function readModel(bytes: Uint8Array): LinearModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < FIXED_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new ModelFileError('not a weights file of this version');
  }
  if (view.getUint32(4, true) !== crc32(bytes.subarray(8))) {
    throw new ModelFileError('the weights file is damaged: its checksum differs');
  }
  const start = FIXED_BYTES + view.getUint32(8, true);
  const model = readDescription(new TextDecoder().decode(bytes.subarray(FIXED_BYTES, start)));
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  if (weights.length !== model.heads.length * 2 ** model.bits) {
    throw new ModelFileError('the number of weights differs from the header of the weights file');
  }
  return { ...model, weights };
}

function readDescription(text: string): Omit<LinearModel, 'weights'> {
  const { bits, scale, heads, lengths, screen } = JSON.parse(text) as Omit<LinearModel, 'weights'>;
  const whole = Number.isInteger(bits) && bits >= 1 && bits <= MOST_BITS;
  if (!whole || !(scale.floor > 0) || !(scale.power > 0) || !heads.every(isHead)) {
    throw new ModelFileError('the description in the weights file is invalid');
  }
  return {
    bits,
    scale,
    heads,
    ...(lengths === undefined ? {} : { lengths }),
    ...(screen === undefined ? {} : { screen }),
  };
}

function isHead({ name, step, bias, curve }: ModelHead): boolean {
  const rising = curve.every(
    ([logOdds, score], at) =>
      at === 0 || (logOdds > (curve[at - 1]?.[0] ?? 0) && score >= (curve[at - 1]?.[1] ?? 0)),
  );
  return (
    typeof name === 'string' && step > 0 && Number.isFinite(bias) && curve.length > 1 && rising
  );
}

/** The score, 0 to 1, at a place of a curve, rounded to six places; it never falls as log-odds rise. */
export function scoreAt(curve: readonly CurvePoint[], logOdds: number): number {
  const first = curve[0] as CurvePoint;
  let before = first[0];
  let score = first[1];
  if (logOdds <= before) return score;
  for (let point = 0; point < curve.length; point++) {
    const [at, value] = curve[point] as CurvePoint;
    if (logOdds <= at) {
      const share = at === before ? 1 : (logOdds - before) / (at - before);
      return Math.round((score + share * (value - score)) * 1_000_000) / 1_000_000;
    }
    before = at;
    score = value;
  }
  return score;
}

/** The log-odds that a text of so many tokens loses. */
export function lostAt(lengths: LengthOdds, tokens: number): number {
  const after = lengths.findIndex(([length]) => length >= tokens);
  if (after <= 0) return lengths.at(after)?.[1] ?? 0;
  const [low, lost] = lengths[after - 1] as LengthOdds[number];
  const [high, more] = lengths[after] as LengthOdds[number];
  return lost + ((more - lost) * Math.log(tokens / low)) / Math.log(high / low);
}
