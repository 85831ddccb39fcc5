/** Full binary trees of one depth, one after the other, and a curve from their sum to a score. */
export interface TreeTable {
  readonly depth: number;
  readonly bias: number;
  /** For each tree 2^depth - 1 splits, level by level. */
  readonly features: Uint8Array;
  readonly thresholds: Float32Array;
  /** For each tree 2^depth values; a value above a split's threshold goes right. */
  readonly leaves: Float32Array;
  /** Knots of the curve: places, ascending, and the values there; as a rule sums, and scores that ascend. */
  readonly knots: readonly (readonly [number, number])[];
}

/** Boosted trees over a row of features. */
export interface BoostedTrees {
  /** The sum of the trees, in log-odds before calibration. */
  sum(features: Float32Array): number;
  /** The calibrated score, 0 to 1, never falling as the sum rises. */
  score(features: Float32Array): number;
  /** The value of the file's curve at a sum, or at what else the curve of the file is over. */
  curveAt(value: number): number;
}

const MAGIC = 0x31455254;
const HEADER = 20;

/** Makes the function of a table. */
export function createBoostedTrees(table: TreeTable): BoostedTrees {
  const { depth, bias, features: chosen, thresholds, leaves, knots } = table;
  const splits = 2 ** depth - 1;
  const trees = leaves.length / (splits + 1);
  const sum = (features: Float32Array): number => {
    let total = bias;
    for (let tree = 0; tree < trees; tree++) {
      const from = tree * splits;
      let node = 0;
      for (let level = 0; level < depth; level++) {
        const value = features[chosen[from + node] as number] as number;
        node = 2 * node + (value > (thresholds[from + node] as number) ? 2 : 1);
      }
      total += leaves[tree * (splits + 1) + node - splits] as number;
    }
    return total;
  };
  const curveAt = (value: number): number => interpolate(knots, value);
  return { sum, curveAt, score: (features) => curveAt(sum(features)) };
}

/** The value of a curve of straight lines at `at`; level beyond its ends. */
export function interpolate(knots: readonly (readonly [number, number])[], at: number): number {
  let held = knots[0] ?? [0, 0];
  if (at <= held[0]) return held[1];
  for (let next = 1; next < knots.length; next++) {
    const knot = knots[next] as readonly [number, number];
    if (at < knot[0]) {
      const share = (at - held[0]) / (knot[0] - held[0]);
      return held[1] + share * (knot[1] - held[1]);
    }
    held = knot;
  }
  return held[1];
}

/**
 * Reads a file of trees.
 *
 * @throws RangeError when the bytes are no such file, are cut short, or use other features
 */
export function readBoostedTrees(bytes: Uint8Array, featureCount: number): BoostedTrees {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new RangeError('the data is not a file of trees');
  }
  const [depth, trees, knotCount] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
  ];
  const splits = trees * (2 ** depth - 1);
  const leafCount = trees * 2 ** depth;
  if (depth > 8 || bytes.byteLength !== HEADER + splits * 5 + leafCount * 4 + knotCount * 8) {
    throw new RangeError('the file of trees is too short or too long');
  }
  const floats = (at: number, count: number): Float32Array =>
    Float32Array.from({ length: count }, (_, index) => view.getFloat32(at + index * 4, true));
  const thresholds = floats(HEADER, splits);
  const leaves = floats(HEADER + splits * 4, leafCount);
  const curve = floats(HEADER + splits * 4 + leafCount * 4, knotCount * 2);
  const features = bytes.slice(HEADER + splits * 4 + leafCount * 4 + knotCount * 8);
  if (features.some((feature) => feature >= featureCount)) {
    throw new RangeError('the file of trees uses other features');
  }
  const knots = Array.from(
    { length: knotCount },
    (_, at) => [curve[2 * at] as number, curve[2 * at + 1] as number] as const,
  );
  return createBoostedTrees({
    depth,
    bias: view.getFloat32(16, true),
    features,
    thresholds,
    leaves,
    knots,
  });
}

/** The bytes that {@link readBoostedTrees} reads. */
export function writeBoostedTrees(table: TreeTable): Uint8Array {
  const { depth, bias, features, thresholds, leaves, knots } = table;
  const bytes = new Uint8Array(
    HEADER + thresholds.length * 5 + leaves.length * 4 + knots.length * 8,
  );
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, depth, true);
  view.setUint32(8, leaves.length / 2 ** depth, true);
  view.setUint32(12, knots.length, true);
  view.setFloat32(16, bias, true);
  let at = HEADER;
  for (const value of [...thresholds, ...leaves, ...knots.flat()]) {
    view.setFloat32(at, value, true);
    at += 4;
  }
  bytes.set(features, at);
  return bytes;
}
