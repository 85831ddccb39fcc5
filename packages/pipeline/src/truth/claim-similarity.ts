import { KIND } from '../language/lexicon.ts';
import type { ComparedPair } from '../language/pair.ts';
import { PAIR_INDEX } from '../language/pair.ts';
import { interpolate } from '../trees/boosted-trees.ts';

/**
 * Log-odds that a claim is about its nearest nugget: a logistic regression on written claims, claims about
 * news and claims made by rule, which had that nugget in the knowledge base or had not.
 */
const CLAIM_COVERED = 13.2;
const NUGGET_COVERED = 5.3;
/** A few words are found anywhere. */
const TOLD = 2.6;
const BIAS = -16.2;

/**
 * From these log-odds to a similarity. At 0.7, the threshold of the specification, lies the value that one in
 * twenty claims reaches of which the knowledge base knows nothing.
 */
const CURVE: readonly (readonly [number, number])[] = [
  [-9, 0],
  [0.2, 0.7],
  [2.5, 0.9],
  [6, 1],
];

/**
 * How far a claim and a nugget are about the same, 0 to 1: the share of the information of the claim that the
 * nugget has as well, and the reverse, more for claims of much information.
 */
export function similarityOf({ claim: { words, from, to }, features }: ComparedPair): number {
  const covered = features[PAIR_INDEX.claimCoverage] as number;
  if (covered === 0) return 0;
  let told = 1;
  for (let at = from; at < to; at++) {
    if (((words.kinds[at] as number) & KIND.function) === 0) told += words.weights[at] as number;
  }
  const back = features[PAIR_INDEX.sourceCoverage] as number;
  const odds = BIAS + CLAIM_COVERED * covered + NUGGET_COVERED * back + TOLD * Math.log(told);
  return interpolate(CURVE, odds);
}
