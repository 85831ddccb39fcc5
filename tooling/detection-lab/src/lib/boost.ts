import type { TreeTable } from '@probity/pipeline/internal';
/** A row of features with what it should come to. */
export interface BoostExample {
  readonly features: Float32Array;
  readonly label: number;
  readonly weight: number;
}

/** How trees are grown. */
export interface BoostSettings {
  readonly trees: number;
  readonly depth: number;
  readonly rate: number;
  /** Least sum of second derivatives in a leaf. */
  readonly minLeaf: number;
  readonly ridge: number;
  /** For each feature 1 where the score may only rise with it, -1 where it may only fall, 0 for either; undefined: unused. */
  readonly directions: readonly (number | undefined)[];
}

interface Binned {
  readonly bins: Uint8Array[];
  readonly edges: number[][];
}

interface Node {
  readonly rows: Uint32Array;
  /** Sums of the node's rows, see `countBins`. */
  readonly histogram: Float64Array;
  readonly low: number;
  readonly high: number;
  readonly value: number;
}

interface Split {
  readonly feature: number;
  readonly bin: number;
  readonly gain: number;
  readonly left: number;
  readonly right: number;
}

const BINS = 40;
/** Numbers in a histogram for one feature: two for each bin, of which there may be some more. */
const STRIDE = 2 * (BINS + 8);

/**
 * Gradient-boosted trees for a yes-or-no label (logistic loss, second-order steps), with directions
 * that the score must keep. Needs no random numbers: the same examples give the same trees.
 */
export function fitBoostedTrees(
  examples: readonly BoostExample[],
  settings: BoostSettings,
): TreeTable {
  const binned = binFeatures(examples, settings.directions.length);
  const bias = startValue(examples);
  const sums = new Float64Array(examples.length).fill(bias);
  const features: number[] = [];
  const thresholds: number[] = [];
  const leaves: number[] = [];
  for (let tree = 0; tree < settings.trees; tree++) {
    const { gradients, curvatures } = derivatives(examples, sums);
    growTree({ binned, gradients, curvatures, settings, sums }, { features, thresholds, leaves });
  }
  return {
    depth: settings.depth,
    bias,
    features: Uint8Array.from(features),
    thresholds: Float32Array.from(thresholds),
    leaves: Float32Array.from(leaves),
    knots: [],
  };
}

function binFeatures(examples: readonly BoostExample[], count: number): Binned {
  const edges = Array.from({ length: count }, (_, feature) => {
    const values = examples
      .map((example) => example.features[feature] as number)
      .sort((a, b) => a - b);
    const cuts = new Set<number>();
    for (let bin = 1; bin < BINS; bin++) {
      cuts.add(values[Math.floor((bin * values.length) / BINS)] as number);
    }
    for (const whole of [0, 1, 2, 3]) if (whole < (values.at(-1) ?? 0)) cuts.add(whole);
    return [...cuts].sort((a, b) => a - b);
  });
  const bins = edges.map((cuts, feature) =>
    Uint8Array.from(examples, (example) => binOf(cuts, example.features[feature] as number)),
  );
  return { bins, edges };
}

/** Number of cuts below the value. */
function binOf(cuts: readonly number[], value: number): number {
  let bin = 0;
  while (bin < cuts.length && value > (cuts[bin] as number)) bin++;
  return bin;
}

function startValue(examples: readonly BoostExample[]): number {
  let positive = 1e-6;
  let negative = 1e-6;
  for (const { label, weight } of examples) {
    if (label === 1) positive += weight;
    else negative += weight;
  }
  return Math.log(positive / negative);
}

function derivatives(examples: readonly BoostExample[], sums: Float64Array) {
  const gradients = new Float64Array(examples.length);
  const curvatures = new Float64Array(examples.length);
  examples.forEach(({ label, weight }, row) => {
    const chance = 1 / (1 + Math.exp(-(sums[row] as number)));
    gradients[row] = weight * (label - chance);
    curvatures[row] = weight * chance * (1 - chance);
  });
  return { gradients, curvatures };
}

interface Growing {
  readonly binned: Binned;
  readonly gradients: Float64Array;
  readonly curvatures: Float64Array;
  readonly settings: BoostSettings;
  readonly sums: Float64Array;
}

interface Grown {
  readonly features: number[];
  readonly thresholds: number[];
  readonly leaves: number[];
}

function growTree(growing: Growing, to: Grown): void {
  const { settings, sums, binned } = growing;
  const all = Uint32Array.from(sums.keys());
  const root = { rows: all, low: -Infinity, high: Infinity, value: 0 };
  let level: Node[] = [{ ...root, histogram: countBins(growing, all) }];
  for (let depth = 0; depth < settings.depth; depth++) {
    const next: Node[] = [];
    for (const node of level) {
      const split = bestSplit(growing, node);
      const cuts = binned.edges[split?.feature ?? 0] as number[];
      to.features.push(split?.feature ?? 0);
      to.thresholds.push(split === undefined ? Number.MAX_VALUE : (cuts[split.bin] as number));
      next.push(...divide(growing, node, split, depth + 1 < settings.depth));
    }
    level = next;
  }
  for (const { rows, value } of level) {
    const step = value * settings.rate;
    to.leaves.push(step);
    for (const row of rows) sums[row] = (sums[row] as number) + step;
  }
}

/** For each feature and bin the sums of gradients and curvatures of the rows in it. */
function countBins({ binned, gradients, curvatures }: Growing, rows: Uint32Array): Float64Array {
  const histogram = new Float64Array(binned.bins.length * STRIDE);
  binned.bins.forEach((bins, feature) => {
    const from = feature * STRIDE;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      const slot = from + 2 * (bins[row] as number);
      histogram[slot] = (histogram[slot] as number) + (gradients[row] as number);
      histogram[slot + 1] = (histogram[slot + 1] as number) + (curvatures[row] as number);
    }
  });
  return histogram;
}

function subtract(from: Float64Array, part: Float64Array): Float64Array {
  return from.map((value, at) => value - (part[at] as number));
}

function divide(
  growing: Growing,
  node: Node,
  split: Split | undefined,
  goesOn: boolean,
): [Node, Node] {
  const { binned, settings } = growing;
  const empty = new Uint32Array(0);
  if (split === undefined) return [node, { ...node, rows: empty }];
  const bins = binned.bins[split.feature] as Uint8Array;
  const left = node.rows.filter((row) => (bins[row] as number) <= split.bin);
  const right = node.rows.filter((row) => (bins[row] as number) > split.bin);
  const direction = settings.directions[split.feature] as number;
  const middle = (split.left + split.right) / 2;
  const { low, high } = node;
  const smaller = left.length < right.length ? left : right;
  const counted = goesOn ? countBins(growing, smaller) : node.histogram;
  const others = goesOn ? subtract(node.histogram, counted) : node.histogram;
  return [
    {
      rows: left,
      histogram: smaller === left ? counted : others,
      value: split.left,
      low: direction < 0 ? Math.max(low, middle) : low,
      high: direction > 0 ? Math.min(high, middle) : high,
    },
    {
      rows: right,
      histogram: smaller === right ? counted : others,
      value: split.right,
      low: direction > 0 ? Math.max(low, middle) : low,
      high: direction < 0 ? Math.min(high, middle) : high,
    },
  ];
}

function bestSplit(growing: Growing, node: Node): Split | undefined {
  let best: Split | undefined;
  if (node.rows.length < 2) return undefined;
  for (let feature = 0; feature < growing.settings.directions.length; feature++) {
    if (growing.settings.directions[feature] === undefined) continue;
    const found = bestSplitOn(growing, node, feature);
    if (found !== undefined && found.gain > (best?.gain ?? 1e-6)) best = found;
  }
  return best;
}

function bestSplitOn(
  { binned, settings }: Growing,
  node: Node,
  feature: number,
): Split | undefined {
  const { histogram } = node;
  const from = feature * STRIDE;
  const cuts = (binned.edges[feature] as number[]).length;
  let allG = 0;
  let allH = 0;
  for (let bin = 0; bin <= cuts; bin++) {
    allG += histogram[from + 2 * bin] as number;
    allH += histogram[from + 2 * bin + 1] as number;
  }
  const bounded = (value: number) => Math.min(node.high, Math.max(node.low, value));
  const gainOf = (sum: number, curve: number, value: number) =>
    2 * sum * value - (curve + settings.ridge) * value * value;
  const whole = gainOf(allG, allH, bounded(allG / (allH + settings.ridge)));
  let best: Split | undefined;
  let leftG = 0;
  let leftH = 0;
  for (let bin = 0; bin < cuts; bin++) {
    leftG += histogram[from + 2 * bin] as number;
    leftH += histogram[from + 2 * bin + 1] as number;
    const [rightG, rightH] = [allG - leftG, allH - leftH];
    if (leftH < settings.minLeaf || rightH < settings.minLeaf) continue;
    const left = bounded(leftG / (leftH + settings.ridge));
    const right = bounded(rightG / (rightH + settings.ridge));
    if ((right - left) * (settings.directions[feature] as number) < 0) continue;
    const gain = gainOf(leftG, leftH, left) + gainOf(rightG, rightH, right) - whole;
    if (gain > (best?.gain ?? 0)) best = { feature, bin, gain, left, right };
  }
  return best;
}
