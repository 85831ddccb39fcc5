import * as metrics from '../lib/metrics.ts';
import type { SpanFigures } from '../lib/span-metrics.ts';
import { spanFigures } from '../lib/span-metrics.ts';
import { bySource } from '../lib/splits.ts';
import type { Prediction } from './predictions.ts';

/** The figures of a group of rows at a threshold; NaN where a class is absent. */
export interface Figures {
  readonly rows: number;
  readonly positives: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly auroc: number;
  readonly auprc: number;
  /** False positive rate at the threshold, and at a true positive rate of 95 %. */
  readonly fpr: number;
  readonly fprAtTpr95: number;
  /** True positive rate at a false positive rate of 1 %. */
  readonly tprAtFpr1: number;
}

/** Computes the figures of predictions. */
export function figuresOf(scored: readonly metrics.Scored[], threshold: number): Figures {
  const confusion = metrics.confusionAt(scored, threshold);
  const positives = scored.filter(({ positive }) => positive).length;
  const both = positives > 0 && positives < scored.length;
  return {
    rows: scored.length,
    positives,
    precision: positives === 0 ? Number.NaN : metrics.precision(confusion),
    recall: metrics.recall(confusion),
    f1: metrics.f1(confusion),
    auroc: metrics.auroc(scored),
    auprc: both ? metrics.auprc(scored) : Number.NaN,
    fpr: metrics.falsePositiveRate(confusion),
    fprAtTpr95: both ? metrics.fprAtTpr(scored, 0.95) : Number.NaN,
    tprAtFpr1: both ? metrics.tprAtFpr(scored, 0.01) : Number.NaN,
  };
}

/** The predictions of each source, largest first. */
export function predictionsBySource(
  predictions: readonly Prediction[],
): (readonly [string, readonly Prediction[]])[] {
  const keyed = predictions.map((prediction) => ({
    prediction,
    id: prediction.row.id,
    source: prediction.row.source,
  }));
  return [...bySource(keyed)]
    .map(([source, group]) => [source, group.map(({ prediction }) => prediction)] as const)
    .sort(([, a], [, b]) => b.length - a.length);
}

/** Means over sources of the rates that a source has. */
export interface MacroFigures {
  readonly recall: number;
  readonly fpr: number;
  readonly balancedAccuracy: number;
}

/** Every source counts alike, however many rows it has. */
export function macroFigures(predictions: readonly Prediction[], threshold: number): MacroFigures {
  const sources = predictionsBySource(predictions).map(([, group]) => figuresOf(group, threshold));
  const meanOf = (values: readonly number[]) =>
    metrics.mean(values.filter((value) => !Number.isNaN(value)));
  const recall = meanOf(sources.map((figures) => figures.recall));
  const fpr = meanOf(sources.map((figures) => figures.fpr));
  return { recall, fpr, balancedAccuracy: (recall + 1 - fpr) / 2 };
}

/** Exact span figures of predictions by type. */
export function spansOf(predictions: readonly Prediction[]): ReadonlyMap<string, SpanFigures> {
  return spanFigures(
    predictions.map(({ row, findings }) => ({ expected: row.spans, found: findings })),
  );
}

/**
 * Share of the rows about a nugget whose most similar finding names it, with a similarity of at least
 * `threshold`. Rows about none have -1 in its place.
 */
export function rightNuggetFirst(predictions: readonly Prediction[], threshold: number): number {
  const about = predictions.filter(({ row }) => Number(row.labels.nugget ?? -1) >= 0);
  const right = about.filter(({ row, findings }) => {
    const named = findings.filter(({ nugget }) => nugget !== undefined);
    const best = named.reduce<(typeof named)[number] | undefined>(
      (held, next) => (held === undefined || next.score > held.score ? next : held),
      undefined,
    );
    return best !== undefined && best.nugget === row.labels.nugget && best.score >= threshold;
  });
  return right.length / about.length;
}
