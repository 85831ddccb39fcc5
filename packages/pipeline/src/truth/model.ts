import { readFileSync } from 'node:fs';
import { PAIR_FEATURES } from '../language/pair.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { readBoostedTrees } from '../trees/boosted-trees.ts';

const AGAINST = new URL('../../../models/truth-against.bin', import.meta.url);

let shared: BoostedTrees | undefined;

/**
 * The trees that judge whether a claim contradicts a nugget that is about the same; read from disk at
 * the first call, then kept.
 */
export function contradictionModel(): BoostedTrees {
  shared ??= readBoostedTrees(readFileSync(AGAINST), PAIR_FEATURES.length);
  return shared;
}
