import type { Lexicon } from '../language/lexicon.ts';
import {
  comparePair,
  PAIR_FEATURES,
  PAIR_INDEX,
  type Pair,
  type Stretch,
} from '../language/pair-features.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import type { TruthModel } from './model.ts';

/** A claim beside the nugget that is nearest to it. */
export interface CheckedClaim {
  /** Number of the nugget in the knowledge base. */
  readonly nugget: number;
  /** How far both are about the same, 0 to 1. */
  readonly similarity: number;
  /** How likely the claim contradicts the nugget, 0 to 1, if both are about the same. */
  readonly contradiction: number;
}

/** Nuggets that are compared word by word for one claim. */
const COMPARED = 4;

/** The features of the pairs at hand, to save making them each time; nothing in it outlives a call. */
const WORK_SPACE = Array.from({ length: COMPARED }, () => new Float32Array(PAIR_FEATURES.length));

/** Pairs of a claim with the nuggets that share most with it. */
export function nearestPairs(
  claim: Stretch,
  knowledge: KnowledgeIndex,
  lexicon: Lexicon,
): { readonly nugget: number; readonly pair: Pair }[] {
  return knowledge.nearest(claim.entries, COMPARED).map((nugget) => ({
    nugget,
    pair: comparePair(claim, knowledge.stretch(nugget), lexicon.vectors),
  }));
}

/** Of claims that no nugget is about, one in a hundred shares so much with the nearest one. */
const CHANCE_OVERLAP = 0.44;
/** The similarity of such a claim: the threshold of the specification. */
const CHANCE_SIMILARITY = 0.7;
/** How much the shared words count beside the trees in choosing the nugget. */
const OVERLAP_SHARE = 8;

/** What both sides share, by what the words tell: the harmonic mean of the two coverages. */
function overlapOf({ features }: Pair): number {
  const own = features[PAIR_INDEX.claimCoverage] as number;
  const other = features[PAIR_INDEX.sourceCoverage] as number;
  return own + other === 0 ? 0 : (2 * own * other) / (own + other);
}

/**
 * The similarity that the shared words alone speak for. The trees know claims that were made by rule
 * and ask much; a claim in quite other words keeps at least this.
 */
function overlapSimilarity(overlap: number): number {
  if (overlap <= CHANCE_OVERLAP) return (overlap / CHANCE_OVERLAP) * CHANCE_SIMILARITY;
  const beyond = (overlap - CHANCE_OVERLAP) / (1 - CHANCE_OVERLAP);
  return CHANCE_SIMILARITY + beyond * (1 - CHANCE_SIMILARITY);
}

/** Finds the nugget that is about the same as a claim, and whether the claim contradicts it. */
export function checkClaim(
  claim: Stretch,
  knowledge: KnowledgeIndex,
  lexicon: Lexicon,
  model: TruthModel,
): CheckedClaim | undefined {
  const nuggets = knowledge.nearest(claim.entries, COMPARED);
  let best = -1;
  let bestOverlap = 0;
  let bestAbout = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < nuggets.length; at++) {
    const source = knowledge.stretch(nuggets[at] as number);
    const pair = comparePair(claim, source, lexicon.vectors, WORK_SPACE[at]);
    const overlap = overlapOf(pair);
    const about = model.about.sum(pair.features);
    const sum = about + OVERLAP_SHARE * overlap;
    if (sum <= most) continue;
    most = sum;
    best = at;
    bestOverlap = overlap;
    bestAbout = about;
  }
  if (best < 0) return undefined;
  return {
    nugget: nuggets[best] as number,
    similarity: Math.max(model.about.toScore(bestAbout), overlapSimilarity(bestOverlap)),
    contradiction: model.against.score(WORK_SPACE[best] as Float32Array),
  };
}
