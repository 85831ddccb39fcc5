import { readModelBytes } from '../models/model-bytes.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { readBoostedTrees } from '../trees/boosted-trees.ts';
import type { ClaimFeature } from './source-features.ts';
import { CLAIM_FEATURES, SOURCE_INDEX } from './source-features.ts';

/** The score of a claim whose sum is at the limit. */
const LIMIT_SCORE = 0.8;
/** Sums this far below the limit score between {@link LOW} and the limit's score. */
const RAMP = 0.3;
/** Claims below the ramp score less than this. */
const LOW = 0.5;

/** What judges a claim from its features, in the order of CLAIM_FEATURES. */
export interface ClaimModel {
  /** The logit that a claim is unsupported, before calibration. */
  sum(features: Float32Array): number;
  /** The calibrated score of a sum, 0 to 1, for a claim with these features. */
  toScore(sum: number, features: Float32Array): number;
}

let shared: ClaimModel | undefined;

/** The trees that judge a claim against its source; read from disk at the first call, then kept. */
export function hallucinationModel(): ClaimModel {
  shared ??= createClaimModel(
    readBoostedTrees(readModelBytes('hallucination'), CLAIM_FEATURES.length),
  );
  return shared;
}

/** Borders of the share of word pairs that claim and source have in common. */
const BORDERS = [0.15, 0.35, 0.55, 0.8] as const;
/** Borders of the share of words that the source does not have, by weight: above them a claim is about something else. */
const FOREIGN = [0.6, 0.85] as const;
/** How many ranges of claims there are, each with a limit. */
export const CLAIM_RANGES = 4 * (FOREIGN.length + BORDERS.length + 1);
/** Signs of a number that the source does not have, and of a name, a negation or an opposite. */
const NUMBER = placesOf('newNumbers');
const OTHER = placesOf('newNames', 'opposites', 'negationParity', 'negationFlips');

function placesOf(...names: ClaimFeature[]): number[] {
  return names.map((name) => CLAIM_FEATURES.indexOf(name));
}

/** The range of a claim: how near its wording is to the source's, and what kinds of signs speak against it. */
export function claimRange(features: Float32Array): number {
  const share = features[SOURCE_INDEX.pairShare] as number;
  const has = (places: readonly number[]) => places.some((at) => (features[at] as number) > 0);
  const foreign = features[SOURCE_INDEX.newWordShare] as number;
  const over = FOREIGN.filter((border) => foreign >= border).length;
  const near =
    over > 0 ? over - 1 : FOREIGN.length + BORDERS.filter((border) => share >= border).length;
  return 4 * near + 2 * Number(has(OTHER)) + Number(has(NUMBER));
}

/**
 * The model of trees whose curve gives for each range of claims the sum that few faithful claims exceed. Faithful claims in free
 * wording have larger sums than those in near wording, so one limit for all would flag the former or miss errors in
 * the latter. Below the limit the sum alone orders the scores.
 */
export function createClaimModel(trees: BoostedTrees): ClaimModel {
  return {
    sum: trees.sum,
    toScore(sum, features) {
      const above = sum - trees.curveAt(claimRange(features));
      if (above >= 0) return LIMIT_SCORE + (1 - LIMIT_SCORE) * (1 - Math.exp(-above));
      const low = LOW / (1 + Math.exp(-sum));
      const share = Math.max(0, 1 + above / RAMP);
      return low + (LIMIT_SCORE - low) * share;
    },
  };
}
