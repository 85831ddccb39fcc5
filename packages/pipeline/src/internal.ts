/**
 * What this repository's own tools use to train and to measure the detectors (`tooling/detection-lab`).
 * NOT public: anything here may change or go in any release, without notice and without a new major
 * version. Programs use `@probity/pipeline`.
 */
export type { Verdict } from './cli/row-scanner.ts';
export { createRowScanner } from './cli/row-scanner.ts';
export { ClaimComparer } from './hallucination/claim-features.ts';
export type { ClaimModel } from './hallucination/model.ts';
export {
  CLAIM_RANGES,
  claimRange,
  createClaimModel,
  hallucinationModel,
} from './hallucination/model.ts';
export { nonClaimAt } from './hallucination/non-claims.ts';
export type { ClaimFeature } from './hallucination/source-features.ts';
export { CLAIM_FEATURES, SOURCE_INDEX } from './hallucination/source-features.ts';
export { SourceIndex } from './hallucination/source-index.ts';
export { findCommandInjection } from './injection/command.ts';
export { RULE_WEIGHTS, weighRule } from './injection/learned.ts';
export { createPlaceReader, PLACE_FEATURES } from './injection/place-features.ts';
export { loadTopics, PLACE_HEADS, unlikelySum } from './injection/place-model.ts';
export { LOWEST } from './injection/place-sides.ts';
export { findPromptInjection } from './injection/prompt.ts';
export { findSqlInjection } from './injection/sql.ts';
export { writeTopics } from './injection/topic-vectors.ts';
export { findXpathInjection } from './injection/xpath.ts';
export { claimsOf } from './language/claims.ts';
export { isCovered } from './language/covered.ts';
export { isFunctionWord } from './language/function-words.ts';
export type { Lexicon } from './language/lexicon.ts';
export { createLexicon, KIND } from './language/lexicon.ts';
export { PAIR_FEATURES } from './language/pair.ts';
export { comparePair } from './language/pair-features.ts';
export type { RelatedWordTable } from './language/related-words.ts';
export { writeRelatedWords } from './language/related-words.ts';
export { readWords } from './language/sentences.ts';
export { sharedLexicon } from './language/shared-lexicon.ts';
export { stemOf } from './language/stem.ts';
export { OPPOSITES, SYNONYMS, TOPICS } from './language/word-groups.ts';
export { RELATION } from './language/word-relation.ts';
export type { WordVectors, WordVectorTable } from './language/word-vectors.ts';
export { emptyWordVectors, writeWordVectors } from './language/word-vectors.ts';
export type { WordSpan } from './language/words.ts';
export { wordSpanOf } from './language/words.ts';
export type { MeaningModel } from './meaning/meaning-model.ts';
export {
  addMeaning,
  meaningInput,
  toOdds,
  VECTOR_SIZE,
  writeMeaning,
} from './meaning/meaning-model.ts';
export { hashOfSign, hashOfWord } from './models/hash-words.ts';
export type { CurvePoint, LengthOdds, LinearModel } from './models/model-file.ts';
export { lostAt, scoreAt, writeModel } from './models/model-file.ts';
export type { SmallNet } from './models/small-net.ts';
export { runNet, writeNet } from './models/small-net.ts';
export type { TextFeatures } from './models/text-features.ts';
export { createTextFeatures, readFeatures } from './models/text-features.ts';
export { createTextScorer } from './models/text-scorer.ts';
export type { Window, WindowScale } from './models/windows.ts';
export { divisor, findBestWindow } from './models/windows.ts';
export { eachWordHash } from './models/word-hashes.ts';
export { poolSize, poolWords, rowsOfWords } from './models/word-pool.ts';
export { prepareText } from './text/prepared-text.ts';
export { tokensOfText } from './tokens/tokens.ts';
export { hashWord } from './tokens/word-hash.ts';
export { HEAD_NAMES, toCategoryOdds } from './toxicity/category-odds.ts';
export { createClassFeatures, readClassFeatures } from './toxicity/class-features.ts';
export type { ClassTable } from './toxicity/class-model.ts';
export { createClassSums, writeClasses } from './toxicity/class-model.ts';
export type { ClassEntry } from './toxicity/word-classes.ts';
export { createWordClasses } from './toxicity/word-classes.ts';
export type { BoostedTrees, TreeTable } from './trees/boosted-trees.ts';
export {
  createBoostedTrees,
  interpolate,
  readBoostedTrees,
  writeBoostedTrees,
} from './trees/boosted-trees.ts';
export { FRAGMENT, nearestPair } from './truth/check-claim.ts';
export { similarityOf } from './truth/claim-similarity.ts';
export type { KnowledgeIndex } from './truth/knowledge-index.ts';
export { createKnowledgeIndex } from './truth/knowledge-index.ts';
