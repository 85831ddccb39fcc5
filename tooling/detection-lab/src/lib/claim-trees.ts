import type { BoostedTrees, TreeTable } from '@probity/pipeline/internal';
import { CLAIM_FEATURES, createBoostedTrees } from '@probity/pipeline/internal';
import type { BoostExample, BoostSettings } from './boost.ts';
import { fitBoostedTrees } from './boost.ts';
import { directionsOf } from './directions.ts';
import type { Row } from './rows.ts';

/** A row with the features of each of its claims. */
export interface ComparedRow {
  readonly row: Row;
  readonly claims: readonly Float32Array[];
}

/** Lengths, and counts that grow with them: they tell the source of a row rather than its label. */
const UNUSED: ReadonlySet<string> = new Set([
  'unmatched',
  'sourceCoverage',
  'lengthRatio',
  'wordConflict',
  'quantifiersLost',
]);
/** Enough to say which claim of a response is the false one. */
const FIRST_TREES = 30;
const SETTINGS: BoostSettings = {
  trees: 120,
  depth: 4,
  rate: 0.12,
  minLeaf: 8,
  ridge: 2,
  directions: directionsOf(CLAIM_FEATURES).map((direction, at) =>
    UNUSED.has(CLAIM_FEATURES[at] as string) ? undefined : direction,
  ),
};
/** Claims made by rule are many, and resemble written ones only in near wording. */
const MADE_WEIGHT = 0.25;
/** So many rows of one source and label weigh one each; more of them together the square root of their number. */
const FULL_WEIGHT = 300;

/** Fits the trees on claims made by rule and on rows, whose sources weigh less each the larger they are. */
export function fitClaimTrees(
  rows: readonly ComparedRow[],
  made: readonly BoostExample[],
): TreeTable {
  const first = createBoostedTrees(fitBoostedTrees(made, { ...SETTINGS, trees: FIRST_TREES }));
  const counts = new Map<string, number>();
  const kindOf = ({ source, label }: Row) => `${source} ${label}`;
  for (const { row } of rows) counts.set(kindOf(row), (counts.get(kindOf(row)) ?? 0) + 1);
  const own = rows.flatMap((compared) => {
    const count = counts.get(kindOf(compared.row)) as number;
    return claimsOfRow(compared, first, Math.min(1, Math.sqrt(FULL_WEIGHT / count)));
  });
  const light = made.map((claim) => ({ ...claim, weight: MADE_WEIGHT * claim.weight }));
  return fitBoostedTrees([...light, ...own], SETTINGS);
}

/** A row says only that some claim of its response is false; the trees say which one that is most likely. */
function claimsOfRow(
  { row, claims }: ComparedRow,
  trees: BoostedTrees,
  weight: number,
): BoostExample[] {
  if (row.label === 0) return claims.map((features) => ({ features, label: 0, weight }));
  const worst = claims.reduce<Float32Array | undefined>(
    (held, next) => (held === undefined || trees.sum(next) > trees.sum(held) ? next : held),
    undefined,
  );
  return worst === undefined ? [] : [{ features: worst, label: 1, weight }];
}
