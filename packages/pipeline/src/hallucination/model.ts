import { readFileSync } from 'node:fs';
import { type BoostedTrees, readBoostedTrees } from '../trees/boosted-trees.ts';
import { CLAIM_FEATURES } from './claim-features.ts';

const TREES = new URL('../../../models/hallucination.bin', import.meta.url);

let shared: BoostedTrees | undefined;

/** The trees that judge a claim against its source; read from disk at the first call, then kept. */
export function hallucinationModel(): BoostedTrees {
  shared ??= readBoostedTrees(readFileSync(TREES), CLAIM_FEATURES.length);
  return shared;
}
