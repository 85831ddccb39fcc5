import type { CurvePoint, LinearModel } from '@probity/pipeline/internal';
import { prepareText } from '@probity/pipeline/internal';
import type { LinearWeights } from './linear.ts';

/** A text with what calibration needs to know. */
export interface CalibrationPoint {
  readonly logOdds: number;
  readonly positive: boolean;
  readonly weight: number;
}

/** The form of a text that the learned classifiers read. */
export function toModelText(text: string): string {
  const prepared = prepareText(text);
  return (prepared.deobfuscated ?? prepared.folded).text;
}

/**
 * How much each row counts: all rows of a source with one label together as the square root of their
 * number, so that a large source is heard more than a small one but not in proportion; then both
 * labels the same in all.
 */
export function balanceWeights(
  rows: readonly { readonly source: string; readonly label: number }[],
  factors: Readonly<Record<string, number>> = {},
): number[] {
  const counts = new Map<string, number>();
  const key = (row: { source: string; label: number }) => `${row.label} ${row.source}`;
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  const weights = rows.map((row) => {
    const factor = factors[row.source] ?? 1;
    return factor * Math.min(5, ((counts.get(key(row)) as number) / 100) ** -0.5);
  });
  const total = [0, 0];
  rows.forEach(({ label }, at) => {
    total[label] = (total[label] as number) + (weights[at] as number);
  });
  const ratio = (total[0] as number) / (total[1] as number);
  return weights.map((weight, at) => (rows[at]?.label === 1 ? weight * ratio : weight));
}

/** Rounds the weights of a fitted model to 8 bits, a step per head. */
export function quantize(
  {
    settings,
    weights,
    bias,
  }: {
    readonly settings: Pick<LinearWeights['settings'], 'heads' | 'bits' | 'scale'>;
    readonly weights: Float32Array;
    readonly bias: Float64Array;
  },
  names: readonly string[],
  curves: readonly (readonly CurvePoint[])[],
): LinearModel {
  const { heads, bits, scale } = settings;
  const steps = names.map((_, head) => largestKept(weights, head, heads) / 127);
  const rounded = new Int8Array(weights.length);
  for (let at = 0; at < weights.length; at++) {
    const value = Math.round((weights[at] as number) / (steps[at % heads] as number));
    rounded[at] = Math.max(-127, Math.min(127, value));
  }
  const described = names.map((name, head) => ({
    name,
    step: steps[head] as number,
    bias: bias[head] as number,
    curve: curves[head] as readonly CurvePoint[],
  }));
  return { bits, scale, heads: described, weights: rounded };
}

// The few largest weights are cut off, so that the many small ones keep their differences.
function largestKept(weights: Float32Array, head: number, heads: number): number {
  const sizes: number[] = [];
  for (let at = head; at < weights.length; at += heads) {
    const size = Math.abs(weights[at] as number);
    if (size > 0) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  return Math.max(1e-6, sizes[Math.floor(sizes.length * 0.9995)] ?? 0);
}

/**
 * A curve from logits to scores: the slope of a logistic fit (Platt 1999) to held-out texts, moved
 * so that `share` of their harmless ones, by weight, lie at or above the score `threshold`.
 */
export function calibrate(
  points: readonly CalibrationPoint[],
  { threshold, share }: { readonly threshold: number; readonly share: number },
): CurvePoint[] {
  const slope = plattSlope(points);
  const at = quantileOfHarmless(points, share);
  const shift = Math.log(threshold / (1 - threshold));
  return Array.from({ length: 41 }, (_, index): CurvePoint => {
    const odds = (index - 20) / 2;
    const score = 1 / (1 + Math.exp(-odds));
    return [round(at + (odds - shift) / slope), round(score)];
  });
}

function round(value: number): number {
  return Math.round(value * 100_000) / 100_000;
}

function quantileOfHarmless(points: readonly CalibrationPoint[], share: number): number {
  const harmless = points.filter(({ positive }) => !positive).sort((a, b) => b.logOdds - a.logOdds);
  const total = harmless.reduce((sum, { weight }) => sum + weight, 0);
  let seen = 0;
  for (const { logOdds, weight } of harmless) {
    seen += weight;
    if (seen > total * share) return logOdds;
  }
  return 0;
}

/** The slope of a logistic regression of the label on the logits, by Newton's method. */
function plattSlope(points: readonly CalibrationPoint[]): number {
  let slope = 1;
  let offset = 0;
  for (let step = 0; step < 50; step++) {
    let [g0, g1, h00, h01, h11] = [1e-9, 1e-9, 1e-6, 0, 1e-6];
    for (const { logOdds, positive, weight } of points) {
      const x = Math.max(-15, Math.min(15, logOdds));
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const error = (p - (positive ? 1 : 0)) * weight;
      const curvature = Math.max(1e-9, p * (1 - p)) * weight;
      g0 += error;
      g1 += error * x;
      h00 += curvature;
      h01 += curvature * x;
      h11 += curvature * x * x;
    }
    const determinant = h00 * h11 - h01 * h01;
    slope -= Math.max(-0.5, Math.min(0.5, (h00 * g1 - h01 * g0) / determinant));
    offset -= Math.max(-2, Math.min(2, (h11 * g0 - h01 * g1) / determinant));
  }
  return Math.max(0.2, Math.min(3, slope));
}
