import type { ModelName } from '../models/model-bytes.ts';
import { readModelBytes } from '../models/model-bytes.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { readBoostedTrees } from '../trees/boosted-trees.ts';
import { CLAIM_FEATURES, SOURCE_INDEX } from './source-features.ts';

/** What is left of the trees for near wording where the wording is free. */
const REST = 0.2;
/** What the trees for free wording count for there. */
const FREE_SHARE = 1.5;
/** What they have to be sure of, in log-odds, to count against a claim: in free wording new words prove less. */
const ALLOWANCE = 0.5;

/** What judges a claim from its features, in the order of CLAIM_FEATURES. */
export interface ClaimModel {
  /** The logit that a claim is unsupported, before calibration. */
  sum(features: Float32Array): number;
  /** The calibrated score of a sum, 0 to 1. */
  toScore(sum: number): number;
}

let shared: ClaimModel | undefined;

/** The trees that judge a claim against its source; read from disk at the first call, then kept. */
export function hallucinationModel(): ClaimModel {
  const read = (name: ModelName) => readBoostedTrees(readModelBytes(name), CLAIM_FEATURES.length);
  shared ??= createClaimModel(read('hallucination'), read('hallucination-free'));
  return shared;
}

/**
 * Two sets of trees, and one sum that goes over from the one to the other as the wording gets freer. In
 * near wording every difference counts; what people and systems say in other words differs throughout,
 * and trees that learn both take differences for nothing.
 *
 * @param near for near wording; has the curve that makes a score of the sum
 * @param free for free wording
 */
export function createClaimModel(near: BoostedTrees, free: BoostedTrees): ClaimModel {
  return {
    toScore: near.toScore,
    sum(features) {
      const freedom = features[SOURCE_INDEX.freedom] as number;
      const sum = near.sum(features);
      if (freedom === 0) return sum;
      const rest = 1 - (1 - REST) * freedom;
      return rest * sum + FREE_SHARE * freedom * (free.sum(features) - ALLOWANCE);
    },
  };
}
