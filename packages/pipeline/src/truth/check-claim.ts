import type { Lexicon } from '../language/lexicon.ts';
import type { ComparedPair, PairFeature } from '../language/pair.ts';
import { PAIR_INDEX, Pair } from '../language/pair.ts';
import { comparePair } from '../language/pair-features.ts';
import type { WordSpan } from '../language/words.ts';
import { afterEveryScan } from '../scan-memory.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { similarityOf } from './claim-similarity.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';

/** A claim beside the nugget that is nearest to it. */
export interface CheckedClaim {
  /** Number of the nugget in the knowledge base. */
  readonly nugget: number;
  /** How far both are about the same, 0 to 1. */
  readonly similarity: number;
  /** How likely the claim contradicts the nugget, 0 to 1, if both are about the same. */
  readonly contradiction: number;
  /**
   * Below this likelihood of a contradiction the nugget entails the claim; 0 where they do not cover
   * each other far enough for that, and {@link NEVER} where they have different numbers, dates or modals.
   */
  readonly supportedBelow: number;
}

/** Coverage of claim and nugget, and the likelihood of a contradiction below which they then agree. */
const SUPPORT: readonly (readonly [claim: number, nugget: number, below: number])[] = [
  [0.8, 0.8, 0.45],
  [0.5, 0.3, 0.25],
  [0.6, 0.15, 0.25],
];
/** A nugget with one of these conflicts does not entail the claim, however similar both are. */
const CONFLICTS: readonly PairFeature[] = [
  ...(['numberUnmatched', 'calendarConflict', 'unitConflict'] as const),
  ...(['modalConflict', 'quantifierConflict'] as const),
];
/** The likelihood of a contradiction is never below it. */
export const NEVER = -1;

/** Below which likelihood of a contradiction a nugget entails a claim, by how far they cover each other. */
export function supportedBelow({ features }: ComparedPair): number {
  if (CONFLICTS.some((name) => (features[PAIR_INDEX[name]] as number) > 0)) return NEVER;
  const claim = features[PAIR_INDEX.claimCoverage] as number;
  const nugget = features[PAIR_INDEX.sourceCoverage] as number;
  return SUPPORT.find(([own, other]) => claim >= own && nugget >= other)?.[2] ?? 0;
}

/** A nugget with what came of comparing a claim with it. */
export interface NearestPair {
  readonly nugget: number;
  readonly pair: ComparedPair;
}

/** An answer of up to so many words of substance is read together with its question. */
export const FRAGMENT = 6;
/** Nuggets that are compared word by word for one claim. */
const COMPARED = 2;

/** The pair at hand and the best one so far, to save making them each time; they outlive no call. */
const PAIRS: [Pair, Pair] = [new Pair(), new Pair()];
afterEveryScan(() => {
  for (const pair of PAIRS) pair.clear();
});

/**
 * Of the nuggets that share most with a claim the one that has most of what the claim says; undefined
 * where none shares enough. The result is valid until the next call.
 */
export function nearestPair(
  claim: WordSpan,
  knowledge: KnowledgeIndex,
  lexicon: Lexicon,
): NearestPair | undefined {
  let best = -1;
  let most = -1;
  for (const nugget of knowledge.nearest(claim, COMPARED)) {
    const pair = comparePair(claim, knowledge.span(nugget), lexicon, PAIRS[0]);
    const covered = pair.features[PAIR_INDEX.claimCoverage] as number;
    if (covered <= most) continue;
    most = covered;
    best = nugget;
    PAIRS.reverse();
  }
  return best < 0 ? undefined : { nugget: best, pair: PAIRS[1] as ComparedPair };
}

/** Finds the nugget that is about the same as a claim, and whether the claim contradicts it. */
export function checkClaim(
  claim: WordSpan,
  knowledge: KnowledgeIndex,
  lexicon: Lexicon,
  against: BoostedTrees,
): CheckedClaim | undefined {
  const nearest = nearestPair(claim, knowledge, lexicon);
  return nearest && judgePair(nearest, against);
}

/** Whether a claim is about the nugget that is nearest to it, and contradicts it. */
export function judgePair({ nugget, pair }: NearestPair, against: BoostedTrees): CheckedClaim {
  const similarity = similarityOf(pair);
  const contradiction = against.score(pair.features);
  return { nugget, similarity, contradiction, supportedBelow: supportedBelow(pair) };
}

/** What may set a claim apart from its nugget. */
const DIFFERENCES: readonly PairFeature[] = [
  ...(['unmatched', 'numberUnmatched', 'numberConflict', 'nameUnmatched', 'nameConflict'] as const),
  ...(['opposites', 'negation', 'negationCount', 'negationParity', 'negationFlips'] as const),
  ...(['topicConflict', 'wordConflict', 'quantifierConflict', 'modalConflict'] as const),
  ...(['calendarConflict', 'unitConflict', 'displaced', 'exchanged', 'swapped'] as const),
  ...(['insertedShare', 'quantifiersAdded', 'quantifiersLost'] as const),
];
/** The share of the information of claim and nugget that the other one must have as well. */
const REPEATED = 0.9;
/** Words that one may have and the other not. */
const IDLE_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'the', 'this', 'that', 'these', 'those', 'our', 'also'],
]);

/**
 * Whether a claim says what its nugget says, and all of it, in the same words: each word of the one has one in the other
 * that means the same, in the same order, and numbers, units, names and negations are the same.
 */
export function repeatsNugget({ claim, source, alignment, features }: ComparedPair): boolean {
  return (
    (features[PAIR_INDEX.claimCoverage] as number) >= REPEATED &&
    (features[PAIR_INDEX.sourceCoverage] as number) >= REPEATED &&
    DIFFERENCES.every((name) => features[PAIR_INDEX[name]] === 0) &&
    areAllPaired(claim, alignment.partner) &&
    areAllPaired(source, alignment.reverse)
  );
}

/** Whether every word has a partner, of those that matter. */
function areAllPaired({ words, from, to }: WordSpan, partner: ArrayLike<number>): boolean {
  for (let at = from; at < to; at++) {
    if ((partner[at - from] as number) >= 0) continue;
    if (!IDLE_WORDS.has(words.entries[at]?.word ?? '')) return false;
  }
  return true;
}
