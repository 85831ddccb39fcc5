import type { CurvePoint, LinearModel } from '@probity/pipeline/internal';
import type { LinearSettings, LinearWeights } from './linear.ts';
import { fitLinear, packTexts, predictLinear } from './linear.ts';
import type { CalibrationPoint } from './linear-model.ts';
import { balanceWeights, calibrate, quantize, toModelText } from './linear-model.ts';

/** A text to learn from, as the generators and the data files give it. */
export interface LearnRow {
  readonly text: string;
  readonly label: number;
  readonly types: readonly string[];
  readonly source: string;
}

/** What a classifier learns and how. */
export interface Recipe {
  readonly heads: readonly string[];
  readonly settings: Omit<LinearSettings, 'heads'>;
  /** What a row says about each head: 1, 0, or -1 where it says nothing. */
  readonly targets: (row: LearnRow) => readonly number[];
  /** Sources that count less than their number, such as noisy ones. */
  readonly factors: Readonly<Record<string, number>>;
  /** Sources that are held out together; a source in none is learned from and never held out. */
  readonly folds: readonly RegExp[];
  /** Turns a row's logits into those that head `head` is judged by. */
  readonly judge: (logOdds: readonly number[], head: number, row: LearnRow) => number;
  /** The score of a text from the scores of its heads. */
  readonly verdict: (scores: readonly number[], row: LearnRow) => number;
  /** Where each head's curve is pinned: `share` of the harmless texts score `threshold` or more. */
  readonly pins: readonly { readonly threshold: number; readonly share: number }[];
  /** Whether a row of label 0 counts as harmless in the calibration. */
  readonly isHarmless: (row: LearnRow) => boolean;
  /** Whether a held-out row counts in curves and figures; by default each does. */
  readonly isMeasured?: (row: LearnRow) => boolean;
}

/** Is shown the model of each fold, with the rows that it has not seen. */
export type VisitFold = (model: LinearModel, held: readonly LearnRow[], fold: number) => void;

/** A row with the logits of a model that has not seen its source. */
export interface HeldOutRow extends LearnRow {
  readonly logOdds: readonly number[];
}

/** A model with the rows that it was calibrated on. */
export interface Trained {
  readonly model: LinearModel;
  readonly heldOut: readonly HeldOutRow[];
}

/**
 * Fits a classifier to all rows, and once for each fold without that fold's sources: the scores of
 * those rows, from a model that has not seen their source, set the curves.
 */
export function trainLinear(
  rows: readonly LearnRow[],
  recipe: Recipe,
  visitFold?: VisitFold,
): Trained {
  const settings = { ...recipe.settings, heads: recipe.heads.length };
  const packed = packTexts(
    rows.map(({ text }) => toModelText(text)),
    settings.bits,
  );
  const weights = balanceWeights(rows, recipe.factors);
  const fit = (indexes: readonly number[]): LinearWeights =>
    fitLinear(
      indexes.map((at) => ({
        targets: recipe.targets(rows[at] as LearnRow),
        weight: weights[at] as number,
      })),
      settings,
      indexes.map((at) => packed[at] as (typeof packed)[number]),
    );
  const heldOut: HeldOutRow[] = [];
  recipe.folds.forEach((fold, number) => {
    const [held, kept] = divide(rows, fold);
    if (held.length === 0) return;
    const fitted = fit(kept);
    const scores = predictLinear(
      fitted,
      held.map((at) => packed[at] as (typeof packed)[number]),
    );
    held.forEach((at, index) => {
      const row = rows[at] as LearnRow;
      if (recipe.isMeasured?.(row) === false) return;
      heldOut.push({ ...row, logOdds: scores[index] as number[] });
    });
    visitFold?.(
      uncalibrated(fitted, recipe.heads),
      held.map((at) => rows[at] as LearnRow),
      number,
    );
  });
  const curves = recipe.heads.map((_, head) => curveOf(heldOut, recipe, head));
  return { model: quantize(fit(rows.map((_, at) => at)), recipe.heads, curves), heldOut };
}

/** A model whose outputs are read as logits alone. */
function uncalibrated(fitted: LinearWeights, heads: readonly string[]): LinearModel {
  const line: readonly CurvePoint[] = [
    [-10, 0],
    [10, 1],
  ];
  return quantize(
    fitted,
    heads,
    heads.map(() => line),
  );
}

/** The numbers of the rows whose source a fold holds out, and of the others. */
function divide(rows: readonly LearnRow[], fold: RegExp): [number[], number[]] {
  const parts: [number[], number[]] = [[], []];
  rows.forEach(({ source }, at) => {
    parts[fold.test(source) ? 0 : 1].push(at);
  });
  return parts;
}

/** The curve of one head, set on rows of sources that the model had not seen. */
function curveOf(
  heldOut: readonly HeldOutRow[],
  recipe: Pick<Recipe, 'targets' | 'isHarmless' | 'judge' | 'pins'>,
  head: number,
): CurvePoint[] {
  const counts = new Map<string, number>();
  for (const { source } of heldOut) counts.set(source, (counts.get(source) ?? 0) + 1);
  const points: CalibrationPoint[] = [];
  for (const row of heldOut) {
    const target = recipe.targets(row)[head] as number;
    if (target < 0 || (target === 0 && !recipe.isHarmless(row))) continue;
    points.push({
      logOdds: recipe.judge(row.logOdds, head, row),
      positive: target === 1,
      weight: (counts.get(row.source) as number) ** -0.5,
    });
  }
  return calibrate(points, recipe.pins[head] as Recipe['pins'][number]);
}
