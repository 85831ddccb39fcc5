import type { Overlap } from './overlap.ts';

/** Evidence, in words, at which the score is one half; chosen on the development data. */
const MIDDLE = 9.2;
const STEEPNESS = 1.15;
/** Share of substance below which a row of words is nothing but grammar. */
const USUAL_SUBSTANCE = 0.34;

/**
 * How many words in a row the overlap is worth: shared words, less for gaps on either side and for
 * rows that consist of function words.
 */
function evidenceOf({ start, end, matched, weight, density }: Overlap): number {
  const tightness = matched / (end - start);
  const substance = Math.min(1, weight / (USUAL_SUBSTANCE * matched));
  return matched * density * tightness * substance;
}

/** The score of an overlap, 0 to 1: one half at about nine words in a row. */
export function scoreOf(overlap: Overlap): number {
  return 1 / (1 + Math.exp(-STEEPNESS * (evidenceOf(overlap) - MIDDLE)));
}

/** Whether the words stand in the text exactly as in the protected text. */
export function isVerbatim({ start, end, matched, longest }: Overlap): boolean {
  return matched === end - start && longest >= 0.9 * matched;
}
