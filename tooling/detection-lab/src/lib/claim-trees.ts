import type { BoostedTrees, ClaimModel, TreeTable } from '@probity/pipeline/internal';
import {
  CLAIM_FEATURES,
  createBoostedTrees,
  createClaimModel,
  SOURCE_INDEX,
} from '@probity/pipeline/internal';
import type { BoostExample, BoostSettings } from './boost.ts';
import { fitBoostedTrees } from './boost.ts';
import { directionsOf } from './directions.ts';
import type { NewsExample } from './news-rows.ts';
import type { Row } from './rows.ts';

/** A row with the features of each of its claims. */
export interface ComparedRow {
  readonly row: Row;
  readonly claims: readonly Float32Array[];
}

/** Made and written claims of one source. */
export interface Material {
  readonly made: readonly BoostExample[];
  readonly news: readonly NewsExample[];
}

/** The trees for close wording and those for paraphrases, see `createClaimModel`. */
export interface ClaimTrees {
  readonly near: TreeTable;
  readonly free: TreeTable;
}

/** Enough to say which statement of a response is the false one. */
const FIRST_TREES = 50;
const DIRECTIONS = directionsOf(CLAIM_FEATURES);
const NEAR: BoostSettings = {
  trees: 160,
  depth: 4,
  rate: 0.12,
  minLeaf: 8,
  ridge: 2,
  directions: DIRECTIONS,
};
const FREE: BoostSettings = { ...NEAR, trees: 100, rate: 0.1, minLeaf: 12 };
/** What made claims and rows weigh in paraphrase beside the statements about news; in close wording a tenth. */
const MADE_WEIGHT = 0.1;
const ROW_WEIGHT = 1;
const NEAR_SHARE = 0.1;

/** Fits both sets of trees: the near ones without the statements about news, which are too free for them. */
export function fitClaimTrees(
  rows: readonly ComparedRow[],
  material: readonly Material[],
): ClaimTrees {
  const made = material.flatMap((part) => part.made);
  const first = createBoostedTrees(fitBoostedTrees(made, { ...NEAR, trees: FIRST_TREES }));
  const own = rows.flatMap((row) => claimsOfRow(row, first));
  const news = material.flatMap((part) => part.news);
  const freer = [...toFree(made, MADE_WEIGHT), ...toFree(own, ROW_WEIGHT)];
  return {
    near: fitBoostedTrees([...made, ...own], NEAR),
    free: fitBoostedTrees([...news, ...freer], FREE),
  };
}

/** The model of two tables. */
export function toClaimModel({ near, free }: ClaimTrees): ClaimModel {
  return createClaimModel(createBoostedTrees(near), createBoostedTrees(free));
}

/** A row says only that some claim of its response is false; the trees say which one that is most likely. */
function claimsOfRow({ row, claims }: ComparedRow, trees: BoostedTrees): BoostExample[] {
  if (row.label === 0) return claims.map((features) => ({ features, label: 0, weight: 1 }));
  const worst = claims.reduce<Float32Array | undefined>(
    (held, next) => (held === undefined || trees.sum(next) > trees.sum(held) ? next : held),
    undefined,
  );
  return worst === undefined ? [] : [{ features: worst, label: 1, weight: 1 }];
}

/** The same claims, weighing more the freer their wording. */
function toFree(claims: readonly BoostExample[], weight: number): BoostExample[] {
  return claims.map((claim) => {
    const freedom = claim.features[SOURCE_INDEX.freedom] as number;
    return { ...claim, weight: weight * (NEAR_SHARE + (1 - NEAR_SHARE) * freedom) };
  });
}
