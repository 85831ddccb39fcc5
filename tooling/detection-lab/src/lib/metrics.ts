import type { Random } from '@probity/test-support/random';

/** A score, higher for worse, with the truth: whether the text has what was looked for. */
export interface Scored {
  readonly score: number;
  readonly positive: boolean;
}

/** How decisions `score >= threshold` turned out. */
export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly trueNegatives: number;
  readonly falseNegatives: number;
}

/** Counts the outcomes of deciding `score >= threshold`. */
export function confusionAt(scored: readonly Scored[], threshold: number): Confusion {
  let [truePositives, falsePositives, trueNegatives, falseNegatives] = [0, 0, 0, 0];
  for (const { score, positive } of scored) {
    if (score >= threshold) positive ? truePositives++ : falsePositives++;
    else positive ? falseNegatives++ : trueNegatives++;
  }
  return { truePositives, falsePositives, trueNegatives, falseNegatives };
}

/** Share of the decided that are right; NaN where nothing was decided. */
export function precision({ truePositives, falsePositives }: Confusion): number {
  return truePositives / (truePositives + falsePositives);
}

/** True positive rate; NaN without positives. */
export function recall({ truePositives, falseNegatives }: Confusion): number {
  return truePositives / (truePositives + falseNegatives);
}

/** False positive rate; NaN without negatives. */
export function falsePositiveRate({ falsePositives, trueNegatives }: Confusion): number {
  return falsePositives / (falsePositives + trueNegatives);
}

/** Harmonic mean of precision and recall; 0 where nothing right was decided, NaN without positives. */
export function f1({ truePositives, falsePositives, falseNegatives }: Confusion): number {
  if (truePositives + falseNegatives === 0) return Number.NaN;
  return (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives);
}

/** Mean of recall and specificity; NaN where one of the classes is absent. */
export function balancedAccuracy(confusion: Confusion): number {
  return (recall(confusion) + 1 - falsePositiveRate(confusion)) / 2;
}

/**
 * Area under the receiver operating characteristic: the probability that a positive scores higher
 * than a negative, ties counting half (Mann-Whitney). NaN where one of the classes is absent.
 */
export function auroc(scored: readonly Scored[]): number {
  const ranks = averageRanks(scored.map(({ score }) => score));
  let positives = 0;
  let rankSum = 0;
  scored.forEach(({ positive }, index) => {
    if (!positive) return;
    positives++;
    rankSum += ranks[index] as number;
  });
  const negatives = scored.length - positives;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/**
 * Area under the precision-recall curve, as average precision: the sum over distinct scores, highest
 * first, of precision times the gain in recall. NaN without positives.
 */
export function auprc(scored: readonly Scored[]): number {
  const points = curve(scored);
  let area = 0;
  let before = 0;
  for (const { tpr, hits, decided } of points) {
    area += (tpr - before) * (hits / decided);
    before = tpr;
  }
  return points.length === 0 ? Number.NaN : area;
}

/** The highest true positive rate at a false positive rate of at most `limit`. */
export function tprAtFpr(scored: readonly Scored[], limit: number): number {
  const points = curve(scored);
  if (points.length === 0) return Number.NaN;
  return points.reduce((best, { tpr, fpr }) => (fpr <= limit ? Math.max(best, tpr) : best), 0);
}

/** The lowest false positive rate at a true positive rate of at least `wanted`. */
export function fprAtTpr(scored: readonly Scored[], wanted: number): number {
  const points = curve(scored);
  if (points.length === 0) return Number.NaN;
  return points.reduce((best, { tpr, fpr }) => (tpr >= wanted ? Math.min(best, fpr) : best), 1);
}

/**
 * The lowest threshold at which the false positive rate is at most `limit`; just above the highest
 * score where no score is high enough.
 */
export function thresholdAtFpr(scored: readonly Scored[], limit: number): number {
  const negatives = scored.filter(({ positive }) => !positive).length;
  let threshold = Number.POSITIVE_INFINITY;
  for (const { score, falseAlarms } of distinct(scored)) {
    if (negatives > 0 && falseAlarms / negatives > limit) break;
    threshold = score;
  }
  if (threshold !== Number.POSITIVE_INFINITY) return threshold;
  const highest = scored.reduce((max, { score }) => Math.max(max, score), 0);
  return highest + Number.EPSILON * Math.max(1, Math.abs(highest));
}

interface Step {
  readonly score: number;
  readonly hits: number;
  readonly falseAlarms: number;
}

/** Counts of positives and negatives at or above each distinct score, highest first. */
function distinct(scored: readonly Scored[]): Step[] {
  const sorted = [...scored].sort((a, b) => b.score - a.score);
  const steps: Step[] = [];
  let hits = 0;
  let falseAlarms = 0;
  sorted.forEach(({ score, positive }, index) => {
    positive ? hits++ : falseAlarms++;
    if (sorted[index + 1]?.score !== score) steps.push({ score, hits, falseAlarms });
  });
  return steps;
}

function curve(scored: readonly Scored[]) {
  const positives = scored.filter(({ positive }) => positive).length;
  const negatives = scored.length - positives;
  if (positives === 0) return [];
  return distinct(scored).map(({ hits, falseAlarms }) => ({
    hits,
    decided: hits + falseAlarms,
    tpr: hits / positives,
    fpr: negatives === 0 ? 0 : falseAlarms / negatives,
  }));
}

/**
 * Spearman's rank correlation of two equally long rows of numbers, -1 to 1, ties sharing their
 * average rank; NaN where one of the rows is constant.
 */
export function spearman(left: readonly number[], right: readonly number[]): number {
  if (left.length !== right.length) throw new RangeError('rows of different length');
  return pearson(averageRanks(left), averageRanks(right));
}

function pearson(left: readonly number[], right: readonly number[]): number {
  const meanLeft = mean(left);
  const meanRight = mean(right);
  let [product, squaresLeft, squaresRight] = [0, 0, 0];
  left.forEach((value, index) => {
    const a = value - meanLeft;
    const b = (right[index] as number) - meanRight;
    product += a * b;
    squaresLeft += a * a;
    squaresRight += b * b;
  });
  return product / Math.sqrt(squaresLeft * squaresRight);
}

/** Mean of numbers; NaN without any. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Ranks from 1, equal values sharing the average of theirs. */
function averageRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index);
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) {
      end++;
    }
    for (let at = start; at < end; at++) ranks[order[at] as number] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

/** The rows whose score lies in one tenth (or another share) of 0 to 1. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Mean score, and share of positives; NaN where the bin is empty. */
  readonly meanScore: number;
  readonly positiveShare: number;
}

/** Cuts 0 to 1 into `bins` equal parts; a score of 1 belongs to the last. */
export function reliabilityBins(scored: readonly Scored[], bins = 10): ReliabilityBin[] {
  const members: Scored[][] = Array.from({ length: bins }, () => []);
  for (const entry of scored) {
    const index = Math.min(bins - 1, Math.max(0, Math.floor(entry.score * bins)));
    (members[index] as Scored[]).push(entry);
  }
  return members.map((rows, index) => ({
    from: index / bins,
    to: (index + 1) / bins,
    count: rows.length,
    meanScore: mean(rows.map(({ score }) => score)),
    positiveShare: rows.filter(({ positive }) => positive).length / rows.length,
  }));
}

/** Expected calibration error: mean distance of score and share of positives, weighted by bin. */
export function expectedCalibrationError(scored: readonly Scored[], bins = 10): number {
  return reliabilityBins(scored, bins).reduce(
    (sum, { count, meanScore, positiveShare }) =>
      count === 0 ? sum : sum + (count / scored.length) * Math.abs(meanScore - positiveShare),
    0,
  );
}

/** A 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Percentile bootstrap of a measure over rows (95 %): draws as many rows as there are, with
 * repetition, `rounds` times. Draws for which the measure is not a number are left out.
 */
export function bootstrapInterval<T>(
  rows: readonly T[],
  measure: (sample: readonly T[]) => number,
  random: Random,
  rounds = 200,
): Interval {
  const values: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const value = measure(rows.map(() => rows[random.below(rows.length)] as T));
    if (!Number.isNaN(value)) values.push(value);
  }
  values.sort((a, b) => a - b);
  const at = (share: number) =>
    values[Math.min(values.length - 1, Math.max(0, Math.round(share * (values.length - 1))))] ??
    Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

/** Wilson's 95 % interval of a share, 0 to 1: `[0, 1]` where nothing was counted. */
export function wilsonInterval(hits: number, count: number): readonly [low: number, high: number] {
  if (count === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / count;
  const scale = 1 + z ** 2 / count;
  const middle = (share + z ** 2 / (2 * count)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
