import { createPlaceReader, PLACE_FEATURES } from '../../src/injection/place-features.ts';
import { PLACE_HEADS } from '../../src/injection/place-model.ts';
import type { LinearModel } from '../../src/models/model-file.ts';
import { createTextScorer } from '../../src/models/text-scorer.ts';
import { createBoostedTrees, type TreeTable } from '../../src/trees/boosted-trees.ts';
import { type BoostSettings, fitBoostedTrees } from './boost.ts';
import { balanceWeights, calibrate, toModelText } from './linear-model.ts';
import type { LearnRow } from './linear-recipe.ts';

/** A row with what a model that has not seen it says of its likeliest request. */
export interface PlacedRow {
  readonly row: LearnRow;
  readonly fold: number;
  /** Undefined where the text has no request among other text. */
  readonly features: Float32Array | undefined;
}

/** What the trees are told of a row: 1 planted, 0 harmless, -1 nothing. */
export type PlaceTarget = (row: LearnRow) => number;

// The score may not fall as the request reads more like one, nor rise as the text speaks of it.
const RISING: readonly string[] = ['request', 'injection', 'order', 'order, best of the text'];
const FALLING = 'share of its content words that the rest has';
const SETTINGS: BoostSettings = {
  trees: 60,
  depth: 3,
  rate: 0.1,
  minLeaf: 20,
  ridge: 1,
  directions: PLACE_FEATURES.map((name) => (RISING.includes(name) ? 1 : name === FALLING ? -1 : 0)),
};
/** The sum of a text that has no request among other text. */
const NO_PLACE = -20;

/** Reads the features of rows through a model. */
export function placeRows(
  model: LinearModel,
  rows: readonly LearnRow[],
  fold: number,
): PlacedRow[] {
  const scorer = createTextScorer(model);
  const read = createPlaceReader(PLACE_HEADS);
  return rows.map((row) => {
    scorer.read(toModelText(row.text));
    const features = new Float32Array(PLACE_FEATURES.length);
    return { row, fold, features: read(scorer, features) === undefined ? undefined : features };
  });
}

/** Fits trees to rows, sources and labels balanced as for the linear models. */
export function fitPlaceTrees(rows: readonly PlacedRow[], targetOf: PlaceTarget): TreeTable {
  const known = rows.flatMap(({ row, features }) => {
    const label = targetOf(row);
    return features === undefined || label < 0 ? [] : [{ features, label, source: row.source }];
  });
  const weights = balanceWeights(known);
  return fitBoostedTrees(
    known.map(({ features, label }, at) => ({ features, label, weight: weights[at] as number })),
    SETTINGS,
  );
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
      sums.set(row, row.features === undefined ? NO_PLACE : trees.sum(row.features));
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
  return calibrate(points, { threshold: 0.5, share });
}
