import { PAIR_FEATURES } from '../language/pair.ts';

/** What is measured of a claim against the whole source, before the features of the best sentence. */
export const SOURCE_FEATURES = [
  'coverage',
  'coverageAlike',
  'pairShare',
  'tripleShare',
  'longestRun',
  'heaviestNewWord',
  'newNumbers',
  'newNames',
  'newWordShare',
  'distantNumbers',
  'distantNames',
  'bestGap',
  'neighbourCoverage',
  'brokenPairs',
  'earlyNumber',
  'openShare',
  'unlikeShare',
  'unlikeWord',
] as const;

/** Names of all features of a claim, in order. */
export const CLAIM_FEATURES = [...SOURCE_FEATURES, ...PAIR_FEATURES] as const;

/** The name of a feature. */
export type ClaimFeature = (typeof CLAIM_FEATURES)[number];

/** A feature's name. */
export type SourceFeature = (typeof SOURCE_FEATURES)[number];

/** Where the features stand in an array. */
export const SOURCE_INDEX = Object.freeze(
  Object.fromEntries(SOURCE_FEATURES.map((name, at) => [name, at])),
) as Readonly<Record<SourceFeature, number>>;
