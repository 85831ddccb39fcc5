import type { Scored } from './metrics.ts';

/** Knots of a curve from a sum to a score. */
export type Knots = readonly (readonly [number, number])[];

/**
 * A monotone curve that puts the share `falseShare` of the negatives at or above `threshold`, with
 * logistic tails on both sides: below it the score falls with the odds, above it rises toward one.
 *
 * @param scored sums of development rows with their labels
 */
export function calibrateAt(
  scored: readonly Scored[],
  threshold: number,
  falseShare: number,
): Knots {
  const negatives = scored.filter(({ positive }) => !positive).map(({ score }) => score);
  const middle = quantile(negatives, 1 - falseShare);
  const { scale, shift } = fitLogistic(scored);
  const logit = (share: number) => Math.log(share / (1 - share));
  const steps = Array.from({ length: 41 }, (_, at) => middle + (at - 20) * (0.4 / scale));
  const offset = logit(threshold) - scale * middle - shift;
  return steps.map((sum) => [sum, 1 / (1 + Math.exp(-(scale * sum + shift + offset)))] as const);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length)));
  return (sorted[at] ?? 0) + 1e-6;
}

/** Platt's fit: P(label) = 1 / (1 + exp(-(scale * score + shift))), scale kept above 0.2. */
function fitLogistic(scored: readonly Scored[]): { scale: number; shift: number } {
  let scale = 1;
  let shift = 0;
  for (let round = 0; round < 200; round++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-6, 0, 1e-6];
    for (const { score, positive } of scored) {
      const chance = 1 / (1 + Math.exp(-(scale * score + shift)));
      const error = (positive ? 1 : 0) - chance;
      const curve = chance * (1 - chance);
      g0 += error;
      g1 += error * score;
      h00 += curve;
      h01 += curve * score;
      h11 += curve * score * score;
    }
    const determinant = h00 * h11 - h01 * h01 + 1e-9;
    shift += 0.5 * ((h11 * g0 - h01 * g1) / determinant);
    scale = Math.max(0.2, scale + 0.5 * ((h00 * g1 - h01 * g0) / determinant));
  }
  return { scale, shift };
}
