import { readFileSync } from 'node:fs';
import { PAIR_FEATURES } from '../language/pair-features.ts';
import { type BoostedTrees, readBoostedTrees } from '../trees/boosted-trees.ts';

/** What is learned about a claim beside a nugget. */
export interface TruthModel {
  /** Whether both are about the same: its score is the similarity. */
  readonly about: BoostedTrees;
  /** Whether the claim contradicts a nugget that is about the same. */
  readonly against: BoostedTrees;
}

const ABOUT = new URL('../../../models/truth-about.bin', import.meta.url);
const AGAINST = new URL('../../../models/truth-against.bin', import.meta.url);

let shared: TruthModel | undefined;

/** The trees of the truth stages; read from disk at the first call, then kept. */
export function truthModel(): TruthModel {
  shared ??= {
    about: readBoostedTrees(readFileSync(ABOUT), PAIR_FEATURES.length),
    against: readBoostedTrees(readFileSync(AGAINST), PAIR_FEATURES.length),
  };
  return shared;
}
