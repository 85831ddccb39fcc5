import { crc32 } from 'node:zlib';
import { ModelFileError } from './model-file.ts';

/** A net of one hidden layer of rectified units; weights side by side for each unit and each head. */
export interface SmallNet {
  readonly inputs: number;
  readonly hidden: number;
  readonly heads: number;
  readonly hiddenWeights: Float32Array;
  readonly hiddenBias: Float32Array;
  readonly headWeights: Float32Array;
}

const MAGIC = 0x31_4e_42_50;
const HEADER = 20;

/** The bytes of a net: the letters `PBN1`, a CRC-32 of all that follows, three sizes, the weights. */
export function writeNet(net: SmallNet): Uint8Array {
  const parts = [net.hiddenWeights, net.hiddenBias, net.headWeights];
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(HEADER + 4 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  [net.inputs, net.hidden, net.heads].forEach((size, at) => {
    view.setUint32(8 + 4 * at, size, true);
  });
  let at = HEADER;
  for (const part of parts) {
    for (const value of part) {
      view.setFloat32(at, value, true);
      at += 4;
    }
  }
  view.setUint32(4, crc32(bytes.subarray(8)), true);
  return bytes;
}

/**
 * Reads a net.
 *
 * @throws ModelFileError when the bytes are damaged, cut short or of another kind
 */
export function readNet(bytes: Uint8Array): SmallNet {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new ModelFileError('not a file of a small net of this version');
  }
  if (view.getUint32(4, true) !== crc32(bytes.subarray(8))) {
    throw new ModelFileError('the file of the small net is damaged: its checksum differs');
  }
  const [inputs, hidden, heads] = [8, 12, 16].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  let at = HEADER;
  const take = (count: number): Float32Array =>
    Float32Array.from({ length: count }, () => {
      at += 4;
      return view.getFloat32(at - 4, true);
    });
  return {
    inputs,
    hidden,
    heads,
    hiddenWeights: take(inputs * hidden),
    hiddenBias: take(hidden),
    headWeights: take(hidden * heads),
  };
}

/** What the net adds to the log-odds of each head. */
export function runNet(net: SmallNet, input: Float64Array): number[] {
  const { inputs, hidden, heads, hiddenWeights, hiddenBias, headWeights } = net;
  const sums = new Array<number>(heads).fill(0);
  for (let unit = 0; unit < hidden; unit++) {
    let sum = hiddenBias[unit] as number;
    for (let at = 0; at < inputs; at++) {
      sum += (hiddenWeights[unit * inputs + at] as number) * (input[at] as number);
    }
    if (sum <= 0) continue;
    for (let head = 0; head < heads; head++) {
      sums[head] = (sums[head] as number) + sum * (headWeights[head * hidden + unit] as number);
    }
  }
  return sums;
}
