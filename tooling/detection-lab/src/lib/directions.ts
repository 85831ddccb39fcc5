import type { ClaimFeature } from '@probity/pipeline/internal';

/** Features that make a claim less likely the larger they are. */
const RISING: ReadonlySet<string> = new Set<ClaimFeature>([
  'earlyNumber',
  'heaviestNewWord',
  'newNumbers',
  'newNames',
  'newWordShare',
  'distantNumbers',
  'distantNames',
  'unmatched',
  'heaviestUnmatched',
  'numberUnmatched',
  'numberConflict',
  'nameUnmatched',
  'nameConflict',
  'opposites',
  'negation',
  'topicConflict',
  'quantifierConflict',
  'modalConflict',
  'calendarConflict',
  'unitConflict',
  'exchanged',
  'insertedShare',
  'negationCount',
  'negationParity',
  'negationFlips',
  'wordConflict',
  'swapped',
  'openShare',
  'unlikeShare',
  'unlikeWord',
  'bestGap',
  'brokenPairs',
]);
/** Features that make a claim more likely the larger they are. */
const FALLING: ReadonlySet<string> = new Set<ClaimFeature>([
  'coverage',
  'coverageAlike',
  'pairShare',
  'tripleShare',
  'longestRun',
  'neighbourCoverage',
  'claimCoverage',
  'claimExact',
  'claimRuns',
]);

/** In which direction the score that a claim is unfounded may go with each feature: 1, -1, or 0 for either. */
export function directionsOf(features: readonly string[]): number[] {
  return features.map((name) => (RISING.has(name) ? 1 : FALLING.has(name) ? -1 : 0));
}
