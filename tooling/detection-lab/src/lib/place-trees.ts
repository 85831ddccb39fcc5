import type { LinearModel, TreeTable } from '@probity/pipeline/internal';
import {
  createBoostedTrees,
  createPlaceReader,
  createTextScorer,
  LOWEST,
  loadTopics,
  PLACE_FEATURES,
  PLACE_HEADS,
  tokensOfText,
  unlikelySum,
} from '@probity/pipeline/internal';
import type { BoostSettings } from './boost.ts';
import { fitBoostedTrees } from './boost.ts';
import { balanceWeights, calibrate, toModelText } from './linear-model.ts';
import type { LearnRow } from './linear-recipe.ts';

/** A row with what a model that has not seen it says of its likely requests. */
export interface PlacedRow {
  readonly row: LearnRow;
  readonly fold: number;
  /** Each request, each way to see what is around it: rows of features, one after the other. */
  readonly views: Float32Array;
  /** How much the likeliest of the unlikely requests reads like one. */
  readonly faint: number;
}

/** The target of a row: 1 embedded, 0 harmless, -1 unknown. */
export type PlaceTarget = (row: LearnRow) => number;

// The score may not fall as the request reads more like one, nor rise as the text is about its topic.
const RISING: readonly string[] = ['request', 'injection', 'order'];
const FALLING = 'share of its content words that the text around has';
const SETTINGS: BoostSettings = {
  trees: 100,
  depth: 4,
  rate: 0.1,
  minLeaf: 20,
  ridge: 1,
  directions: PLACE_FEATURES.map((name) => (RISING.includes(name) ? 1 : name === FALLING ? -1 : 0)),
};
/** Sources whose kind of text is easily taken for an attack count more. */
const FACTORS: Readonly<Record<string, number>> = { tech_docs: 3, indirect_docs_clean: 3 };
const THRESHOLD = 0.5;
/** Chosen on held-out sources. */
const ABOVE = 0.3;
const BELOW = 1.5;
/** How often the views are chosen anew. */
const ROUNDS = 2;

/** Reads the features of rows through a model. */
export function placeRows(
  model: LinearModel,
  rows: readonly LearnRow[],
  fold: number,
): PlacedRow[] {
  const scorer = createTextScorer(model);
  const read = createPlaceReader(PLACE_HEADS, loadTopics());
  return rows.map((row) => {
    scorer.read(tokensOfText(toModelText(row.text)));
    const views: number[] = [];
    const faint = read(scorer, (_, values) => views.push(...values));
    return { row, fold, views: Float32Array.from(views), faint };
  });
}

/**
 * Fits trees to rows, sources and labels balanced as for the linear models. Each row is shown by
 * the view that reads most like an embedded request (multiple instance learning), at first by the widest one of
 * its likeliest request, then by the one that the trees of the round before score highest.
 */
export function fitPlaceTrees(rows: readonly PlacedRow[], targetOf: PlaceTarget): TreeTable {
  const known = rows.flatMap(({ row, views }) => {
    const label = targetOf(row);
    return views.length === 0 || label < 0 ? [] : [{ views, label, source: row.source }];
  });
  const weights = balanceWeights(known, FACTORS);
  const fit = (choose: (views: Float32Array) => Float32Array) =>
    fitBoostedTrees(
      known.map(({ views, label }, at) => ({
        features: choose(views),
        label,
        weight: weights[at] as number,
      })),
      SETTINGS,
    );
  let table = fit(widestView);
  for (let round = 0; round < ROUNDS; round++) {
    const trees = createBoostedTrees(table);
    table = fit((views) => bestView(views, (features) => trees.sum(features)));
  }
  return table;
}

const COUNT = PLACE_FEATURES.length;
const REQUEST = PLACE_FEATURES.indexOf('request');
const BEFORE = PLACE_FEATURES.indexOf('tokens before');

function widestView(views: Float32Array): Float32Array {
  return bestView(
    views,
    (view) =>
      (view[REQUEST] as number) * 10_000 + (view[BEFORE] as number) + (view[BEFORE + 1] as number),
  );
}

function bestView(views: Float32Array, scoreOf: (view: Float32Array) => number): Float32Array {
  let best = views.subarray(0, COUNT);
  let highest = scoreOf(best);
  for (let from = COUNT; from < views.length; from += COUNT) {
    const view = views.subarray(from, from + COUNT);
    const score = scoreOf(view);
    if (score <= highest) continue;
    best = view;
    highest = score;
  }
  return best;
}

/** The sums of rows by trees that have not seen their fold. */
export function sumUnseen(
  rows: readonly PlacedRow[],
  targetOf: PlaceTarget,
): ReadonlyMap<PlacedRow, number> {
  const sums = new Map<PlacedRow, number>();
  for (const fold of new Set(rows.map((row) => row.fold))) {
    const table = fitPlaceTrees(
      rows.filter((row) => row.fold !== fold),
      targetOf,
    );
    const trees = createBoostedTrees(table);
    for (const row of rows) {
      if (row.fold !== fold) continue;
      const { views, faint } = row;
      const sum = views.length === 0 ? unlikelySum(LOWEST) : trees.sum(bestView(views, trees.sum));
      sums.set(row, Math.max(sum, unlikelySum(faint)));
    }
  }
  return sums;
}

/** A curve for sums: `share` of the harmless rows, by source, lie at 0.5 or more. */
export function calibratePlaces(
  sums: ReadonlyMap<PlacedRow, number>,
  labelOf: PlaceTarget,
  share: number,
): TreeTable['knots'] {
  const counts = new Map<string, number>();
  for (const { row } of sums.keys()) counts.set(row.source, (counts.get(row.source) ?? 0) + 1);
  const points = [...sums].flatMap(([{ row }, logOdds]) => {
    const label = labelOf(row);
    const weight = (counts.get(row.source) as number) ** -0.5;
    return label < 0 ? [] : [{ logOdds, positive: label === 1, weight }];
  });
  return calibrate(points, { threshold: THRESHOLD, share }).map(([at, score]) => [
    at,
    soften(score),
  ]);
}

/**
 * A place alone is no certain sign, and texts with a weak one are not to rank above attacks by
 * their words: scores rise more slowly above the threshold, and fall faster below.
 */
function soften(score: number): number {
  if (score >= THRESHOLD) return THRESHOLD + (score - THRESHOLD) * ABOVE;
  return THRESHOLD * (score / THRESHOLD) ** BELOW;
}
