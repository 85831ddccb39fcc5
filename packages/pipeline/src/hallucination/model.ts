import { readFileSync } from 'node:fs';
import { type BoostedTrees, readBoostedTrees } from '../trees/boosted-trees.ts';
import { CLAIM_FEATURES, SOURCE_INDEX } from './source-features.ts';

const TREES = new URL('../../../models/hallucination.bin', import.meta.url);

/** Share of word pairs that the source has as well: below the first the wording is free, from the second on near. */
const FREE_WORDING = 0.25;
const NEAR_WORDING = 0.45;
/** What free wording takes off the sum: where much is said in other words, new words prove less. */
const ALLOWANCE = 0.6;

let shared: BoostedTrees | undefined;

/** The trees that judge a claim against its source; read from disk at the first call, then kept. */
export function hallucinationModel(): BoostedTrees {
  shared ??= readBoostedTrees(readFileSync(TREES), CLAIM_FEATURES.length);
  return shared;
}

/** What speaks against a claim, from its features: the sum of the trees, less for free wording. */
export function sumOfClaim({ sum }: BoostedTrees, features: Float32Array): number {
  const nearness = features[SOURCE_INDEX.pairShare] as number;
  const freedom = (NEAR_WORDING - nearness) / (NEAR_WORDING - FREE_WORDING);
  return sum(features) - ALLOWANCE * Math.min(1, Math.max(0, freedom));
}
