import type { Lexicon } from '../language/lexicon.ts';
import { comparePair, PAIR_INDEX, type Pair, type Stretch } from '../language/pair-features.ts';
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
  let best: { nugget: number; pair: Pair; overlap: number } | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const { nugget, pair } of nearestPairs(claim, knowledge, lexicon)) {
    const overlap = overlapOf(pair);
    const sum = model.about.sum(pair.features) + OVERLAP_SHARE * overlap;
    if (sum <= most) continue;
    most = sum;
    best = { nugget, pair, overlap };
  }
  if (best === undefined) return undefined;
  const { nugget, pair, overlap } = best;
  const similarity = Math.max(model.about.score(pair.features), overlapSimilarity(overlap));
  return { nugget, similarity, contradiction: model.against.score(pair.features) };
}
