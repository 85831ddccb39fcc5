import { Alignment } from './alignment.ts';
import { GAP, SHAPE } from './join-words.ts';
import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import type { WordSpan } from './words.ts';

/** Names of the features, in the order in which `comparePair` writes them. */
export const PAIR_FEATURES = [
  'claimCoverage',
  'sourceCoverage',
  'claimExact',
  'claimRuns',
  'unmatched',
  'heaviestUnmatched',
  'numberUnmatched',
  'numberConflict',
  'nameUnmatched',
  'nameConflict',
  'opposites',
  'negation',
  'negationCount',
  'negationParity',
  'negationFlips',
  'topicConflict',
  'wordConflict',
  'quantifierConflict',
  'modalConflict',
  'calendarConflict',
  'unitConflict',
  'displaced',
  'exchanged',
  'insertedShare',
  'lengthRatio',
  'swapped',
  'quantifiersAdded',
  'quantifiersLost',
] as const;

/** A feature's name. */
export type PairFeature = (typeof PAIR_FEATURES)[number];

/** Where the features of a pair stand in an array. */
export const PAIR_INDEX = Object.freeze(
  Object.fromEntries(PAIR_FEATURES.map((name, at) => [name, at])),
) as Readonly<Record<PairFeature, number>>;

/** A claim beside a source, aligned; made once and used for many pairs. */
export class Pair {
  claim: WordSpan | undefined;
  source: WordSpan | undefined;
  readonly alignment = new Alignment();
  readonly features = new Float32Array(PAIR_FEATURES.length);

  /** Drops the references to the texts that were compared. */
  clear(): void {
    this.claim = undefined;
    this.source = undefined;
  }
}

/** A pair with both sides set. */
export interface ComparedPair {
  readonly claim: WordSpan;
  readonly source: WordSpan;
  readonly alignment: Alignment;
  readonly features: Float32Array;
}

/** Whether a word is a name: capital, and not merely as the first of its sentence. */
export function isName({ words, from }: WordSpan, at: number): boolean {
  const place = from + at;
  const shape = words.shape[place] as number;
  if ((shape & SHAPE.capital) === 0 || ((words.kinds[place] as number) & KIND.function) !== 0)
    return false;
  const entry = words.entries[place] as Entry;
  if (entry.word.length < 2) return false;
  const first = at === 0 || ((words.gap[place] as number) & (GAP.stop | GAP.line)) !== 0;
  return !first || (shape & SHAPE.allCapitals) !== 0 || (entry.kinds & KIND.nameLike) !== 0;
}
