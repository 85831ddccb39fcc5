import { KIND } from '../language/lexicon.ts';
import { type ComparedPair, PAIR_INDEX } from '../language/pair.ts';
import { interpolate } from '../trees/boosted-trees.ts';

/** How much it counts that a claim says much: a few words are found anywhere. */
const LENGTH_SHARE = 0.1;

/**
 * From what a nugget has of a claim to a similarity. At 0.7, the threshold of the specification, lies
 * the value that one in twenty claims reaches of which the knowledge base knows nothing.
 */
const CURVE: readonly (readonly [number, number])[] = [
  [0, 0],
  [0.78, 0.7],
  [1.05, 0.95],
  [1.3, 1],
];

/**
 * How far a claim and a nugget are about the same, 0 to 1: the share of what the claim tells that the
 * nugget tells as well, more for claims that tell much.
 */
export function similarityOf({ claim: { words, from, to }, features }: ComparedPair): number {
  let told = 1;
  for (let at = from; at < to; at++) {
    if (((words.kinds[at] as number) & KIND.function) === 0) told += words.weights[at] as number;
  }
  const covered = features[PAIR_INDEX.claimCoverage] as number;
  return covered === 0 ? 0 : interpolate(CURVE, covered + LENGTH_SHARE * Math.log(told));
}
