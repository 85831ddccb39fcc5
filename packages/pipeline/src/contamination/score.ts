import type { ProtectedMatch } from './matcher.ts';

/** Evidence, in words, at which the score is one half; chosen on the development data. */
const MIDDLE = 9.2;
const STEEPNESS = 1.15;
/** Share of substance below which a row of words is nothing but grammar. */
const USUAL_SUBSTANCE = 0.34;

/** What a word that is only similar takes off, in words. */
const SIMILAR_COST = 0.25;
/** A protected text of fewer words than this counts as so many where nearly all of it is repeated. */
const SHORT = 12;
const NEARLY_ALL = 0.85;
const MIN_SHORT_WEIGHT = 3.5;

/**
 * How many words in a row the overlap is worth: shared words, less for gaps on either side and for
 * rows that consist of function words.
 */
function evidenceOf(match: ProtectedMatch): number {
  const { matched, similar, weight, density, tightness, documentSize } = match;
  const shared = matched - SIMILAR_COST * similar;
  const substance = Math.min(1, weight / (USUAL_SUBSTANCE * matched));
  const evidence = shared * density * tightness * substance;
  const isWhole = matched >= NEARLY_ALL * documentSize && weight >= MIN_SHORT_WEIGHT;
  return documentSize < SHORT && isWhole ? (evidence * SHORT) / documentSize : evidence;
}

/** The score of an overlap, 0 to 1: one half at about nine words in a row. */
export function scoreOf(match: ProtectedMatch): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (evidenceOf(match) - MIDDLE)));
}

/** Whether the words stand in the text exactly as in the protected text. */
export function isVerbatim(match: ProtectedMatch): boolean {
  const { start, end, matched, longest, similar, backwards } = match;
  return matched === end - start && longest >= 0.9 * matched && similar === 0 && !backwards;
}
