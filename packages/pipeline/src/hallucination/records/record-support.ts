import type { PairFeature } from '../../language/pair.ts';
import { PAIR_INDEX } from '../../language/pair.ts';
import { SOURCE_FEATURES, SOURCE_INDEX } from '../source-features.ts';
import type { RecordFindings } from './record-claims.ts';

/** The logit of a claim of which the records have every value, and what speaks against it adds. */
const BASE = -3;
const NUMBER = 6;
const OPEN = 3;
const NAME = 5.5;
const DENIAL = 5.5;
const STRAY = 3.9;
/** Claims with more new words may compute or conclude; what speaks against values counts no more than this there. */
const NEAR_WORDS = 1;
const FREE = 2.2;
/** New words count by their share of the claim, and by their number where it has no value of a record. */
const NEW_SHARE = 2;
const NEW_WORD = 0.25;
const UNANCHORED_WORD = 1.2;
/** Advice claims nothing that a record could bear out. */
const ADVICE = 2;

/** How likely it is that records do not bear a claim out, 0 to 1. */
export function recordScore(found: RecordFindings): number {
  const all = found.newWeight + found.foundWeight;
  const share = all === 0 ? 0 : found.newWeight / all;
  const values =
    NUMBER * Math.min(2, found.numbers) +
    OPEN * Math.min(1, found.open) +
    NAME * Math.min(2, found.names + found.dates);
  const against = values + STRAY * Math.min(1, found.strays);
  let sum = BASE + (found.words > NEAR_WORDS ? Math.min(FREE, against) : against);
  sum += DENIAL * Math.min(2, found.denials);
  if (found.anchors === 0) {
    sum += UNANCHORED_WORD * Math.min(6, found.words) - (found.isAdvice ? ADVICE : 0);
  } else if (found.words > 0) sum += NEW_SHARE * share + NEW_WORD * Math.min(6, found.words);
  return 1 / (1 + Math.exp(-sum));
}

/** Whether a claim is about values of the records, rather than about what else was given. */
export function isAboutRecords({ anchors, words }: RecordFindings): boolean {
  return anchors > 0 && words <= anchors;
}

/** Writes what speaks against a claim as the features that tell its type. */
export function writeRecordFeatures(found: RecordFindings, features: Float32Array): void {
  const pair = (name: PairFeature) => SOURCE_FEATURES.length + PAIR_INDEX[name];
  features.fill(0);
  features[SOURCE_INDEX.newNumbers] = found.numbers + found.open;
  features[SOURCE_INDEX.newNames] = found.names;
  features[pair('calendarConflict')] = found.dates;
  features[pair('negationCount')] = found.denials;
  features[pair('swapped')] = found.strays;
}
