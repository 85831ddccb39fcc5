import { askAll } from '../backends/ask-all.ts';
import type { EmbeddingLimits } from '../backends/backend-options.ts';
import type { Embedder, StageDependencies } from '../backends/types.ts';
import { comparePair } from '../language/pair-features.ts';
import { cosineOf } from '../language/sentence-vector.ts';
import { sharedLexicon } from '../language/shared-lexicon.ts';
import type { StageContext } from '../types.ts';
import type { CheckedClaim } from './check-claim.ts';
import { NEVER, supportedBelow } from './check-claim.ts';
import { similarityOf } from './claim-similarity.ts';
import { contradictionModel } from './model.ts';
import type { Knowledge, ScoredClaim } from './scored-claim.ts';
import { contradictionScore, isRelated } from './scored-claim.ts';

/** Finds by meaning which entry of the knowledge base a claim is about. */
export interface ClaimEmbedder {
  /** How many claims of a scan it looks at. */
  readonly maxClaims: number;
  /** Whether it is worth asking about a claim. */
  isOpen(claim: ScoredClaim): boolean;
  /** The claims, in order, with what the vectors say; unchanged where there are none. */
  rerank(
    context: StageContext,
    claims: readonly ScoredClaim[],
    knowledge: Knowledge,
  ): Promise<readonly ScoredClaim[]>;
}

/** Entries of the knowledge base that are compared by meaning for one claim. */
const CANDIDATES = 8;
/** The similarity that a cosine of `sameFrom` stands for: the threshold of the specification. */
const SAME_SIMILARITY = 0.7;
/** From this one on claim and entry say the same, if the one does not contradict the other: as likely as here at most. */
const SURE_SIMILARITY = 0.9;
const SUPPORTED_BY_MEANING = 0.25;
/** The rest is for the judge. */
const SHARE_OF_TIME = 0.4;
const MAX_CLAIM = 2_000;

/** What asks the embedder within limits; undefined without one or where it is to be asked nothing. */
export function createClaimEmbedder(
  { sameFrom, maxClaims }: EmbeddingLimits,
  dependencies: StageDependencies | undefined,
): ClaimEmbedder | undefined {
  const embedder = dependencies?.embedder;
  if (dependencies === undefined || embedder === undefined || maxClaims === 0) return undefined;
  return {
    maxClaims,
    isOpen: ({ checked, start, end }) => !isRelated(checked) && end - start <= MAX_CLAIM,
    async rerank(context, claims, knowledge) {
      const searches = claims.map((claim) => toSearch(claim, knowledge));
      const vectors = await embedOnce(context, searches, embedder, dependencies);
      if (vectors === undefined) return claims;
      return searches.map((search) => choose(search, vectors, knowledge, sameFrom));
    },
  };
}

/** A claim with the entries that share most words with it. */
interface Search {
  readonly claim: ScoredClaim;
  readonly text: string;
  readonly candidates: readonly { readonly nugget: number; readonly text: string }[];
}

type Vectors = ReadonlyMap<string, Float32Array>;

function toSearch(claim: ScoredClaim, { index }: Knowledge): Search {
  const { field, start, end, span } = claim;
  const nuggets = index.nearest(span, CANDIDATES);
  return {
    claim,
    text: field.text.slice(start, end),
    candidates: nuggets.map((nugget) => ({ nugget, text: index.nuggets[nugget]?.claim ?? '' })),
  };
}

/** Embeds claims and candidates in one go; undefined where the embedder fails or takes too long. */
async function embedOnce(
  context: StageContext,
  searches: readonly Search[],
  embedder: Embedder,
  { startTimer, onBackendError }: StageDependencies,
): Promise<Vectors | undefined> {
  const texts = new Set<string>();
  for (const { text, candidates } of searches) {
    texts.add(text);
    for (const candidate of candidates) texts.add(candidate.text);
  }
  const all = [...texts].filter((text) => text.trim() !== '');
  const waitMs = context.remainingMs * SHARE_OF_TIME;
  const limits = {
    parallel: 1,
    waitMs,
    signal: context.signal,
    startTimer,
    onError: onBackendError,
  };
  const [vectors] = await askAll([all], (texts, signal) => embedder.embed(texts, signal), limits);
  return vectors && new Map(all.map((text, at) => [text, vectors[at] as Float32Array]));
}

function choose(
  { claim, text, candidates }: Search,
  vectors: Vectors,
  { index }: Knowledge,
  sameFrom: number,
): ScoredClaim {
  const own = vectors.get(text);
  let nearest = -1;
  let largest = 0;
  for (const { nugget, text: other } of candidates) {
    const vector = vectors.get(other);
    const cosine = own && vector ? cosineOf(own, vector) : 0;
    if (cosine <= largest) continue;
    largest = cosine;
    nearest = nugget;
  }
  if (nearest < 0) return claim;
  const same = nearest === claim.checked.nugget;
  const before = same ? claim.checked : compare(claim, nearest, index);
  const byMeaning = toSimilarity(largest, sameFrom);
  const similarity = Math.max(before.similarity, byMeaning);
  if (!same && similarity <= claim.checked.similarity) return claim;
  // What says the same covers each other, whatever its words.
  const isSure = byMeaning >= SURE_SIMILARITY && before.supportedBelow !== NEVER;
  const supportedBelow = isSure
    ? Math.max(before.supportedBelow, SUPPORTED_BY_MEANING)
    : before.supportedBelow;
  const checked = { ...before, similarity, supportedBelow };
  return { ...claim, checked, score: contradictionScore(checked) };
}

function compare({ span }: ScoredClaim, nugget: number, index: Knowledge['index']): CheckedClaim {
  const pair = comparePair(span, index.span(nugget), sharedLexicon());
  const contradiction = contradictionModel().score(pair.features);
  return {
    nugget,
    similarity: similarityOf(pair),
    contradiction,
    supportedBelow: supportedBelow(pair),
  };
}

/** From 0 to 0.7 at `sameFrom`, less in between, as any two sentences have some cosine; then to 1. */
function toSimilarity(cosine: number, sameFrom: number): number {
  if (cosine < sameFrom) return (cosine / sameFrom) ** 2 * SAME_SIMILARITY;
  if (sameFrom === 1) return 1;
  const beyond = Math.min(1, (cosine - sameFrom) / (1 - sameFrom));
  return SAME_SIMILARITY + beyond * (1 - SAME_SIMILARITY);
}
