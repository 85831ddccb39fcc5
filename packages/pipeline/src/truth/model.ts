import { PAIR_FEATURES } from '../language/pair.ts';
import { readModelBytes } from '../models/model-bytes.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { readBoostedTrees } from '../trees/boosted-trees.ts';

let shared: BoostedTrees | undefined;

/**
 * The trees that judge whether a claim contradicts a nugget that is about the same; read from disk at
 * the first call, then kept.
 */
export function contradictionModel(): BoostedTrees {
  shared ??= readBoostedTrees(readModelBytes('truth-against'), PAIR_FEATURES.length);
  return shared;
}
