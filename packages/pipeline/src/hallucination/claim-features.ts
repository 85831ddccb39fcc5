import type { Claim } from '../language/claims.ts';
import { type Entry, KIND } from '../language/lexicon.ts';
import {
  comparePair,
  isName,
  PAIR_FEATURES,
  type Pair,
  type Stretch,
  stretchOf,
} from '../language/pair-features.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import { isTelling, type SourceIndex } from './source-index.ts';

/** What is measured of a claim against the whole source, before the features of the best sentence. */
export const SOURCE_FEATURES = [
  'coverage',
  'coverageAlike',
  'pairShare',
  'tripleShare',
  'longestRun',
  'runLength',
  'newWords',
  'heaviestNewWord',
  'newNumbers',
  'newNames',
  'newWordShare',
  'strayNumbers',
  'strayNames',
  'bestGap',
  'neighbourCoverage',
  'neighbourGain',
  'strayWords',
  'brokenPairs',
  'earlyNumber',
] as const;

/** Names of all features of a claim, in order. */
export const CLAIM_FEATURES: readonly string[] = [...SOURCE_FEATURES, ...PAIR_FEATURES];

/** A claim beside the source sentence that says most of it. */
export interface ComparedClaim {
  readonly claim: Claim;
  readonly features: Float32Array;
  readonly pair: Pair;
}

/** A feature's name. */
export type SourceFeature = (typeof SOURCE_FEATURES)[number];
const INDEX = Object.fromEntries(SOURCE_FEATURES.map((name, at) => [name, at])) as Readonly<
  Record<SourceFeature, number>
>;
const CANDIDATES = 2;
/** A sentence with less than this share of what the nearest one shares is not compared. */
const CLOSE = 0.6;

/** Compares a claim with the source: with all of it, and with the sentence that is nearest. */
export function compareClaim(
  claim: Claim,
  index: SourceIndex,
  vectors: WordVectors,
): ComparedClaim {
  const { stretch } = claim;
  const candidates = nearestSentences(stretch, index);
  const first = candidates[0];
  const pairs = candidates.map((sentence) =>
    comparePair(stretch, index.stretch(sentence), vectors),
  );
  let best = 0;
  pairs.forEach((pair, at) => {
    if (worth(pair) > worth(pairs[best] as Pair)) best = at;
  });
  const pair = pairs[best] ?? comparePair(stretch, stretchOf(index.words, 0, 0), vectors);
  const features = new Float32Array(CLAIM_FEATURES.length);
  const sentence = candidates[best] ?? first ?? 0;
  addWords(features, stretch, index);
  addNearness(features, stretch, index, pair, sentence);
  put(features, 'earlyNumber', isEarlyNumber(stretch, index) ? 1 : 0);
  features.set(pair.features, SOURCE_FEATURES.length);
  return { claim, features, pair };
}

function worth({ features }: Pair): number {
  return (features[0] as number) + 0.5 * (features[3] as number);
}

/** The sentences that have most of a claim's words, by what the words tell. */
function nearestSentences({ entries }: Stretch, index: SourceIndex): number[] {
  const scores = new Map<number, number>();
  const add = (weight: number) => (sentence: number) => {
    scores.set(sentence, (scores.get(sentence) ?? 0) + weight);
  };
  for (const entry of entries) {
    if (!isTelling(entry.kinds)) continue;
    index.eachSentence(entry.stem, add(entry.weight));
    if (!index.hasStem(entry.stem)) {
      for (const sense of entry.senses) index.eachSenseSentence(sense, add(0.6 * entry.weight));
    }
  }
  const best: [number, number][] = [];
  for (const [sentence, score] of scores) {
    let at = best.length;
    while (at > 0 && (best[at - 1] as [number, number])[1] < score) at--;
    if (at >= CANDIDATES) continue;
    best.splice(at, 0, [sentence, score]);
    if (best.length > CANDIDATES) best.pop();
  }
  const least = CLOSE * (best[0]?.[1] ?? 0);
  return best.filter(([, score]) => score >= least).map(([sentence]) => sentence);
}

function put(features: Float32Array, name: SourceFeature, value: number): void {
  features[INDEX[name]] = value;
}

function addWords(features: Float32Array, stretch: Stretch, index: SourceIndex): void {
  const { entries } = stretch;
  let total = 0;
  let found = 0;
  let alike = 0;
  let newWords = 0;
  let newWeight = 0;
  let heaviest = 0;
  let newNumbers = 0;
  let newNames = 0;
  entries.forEach((entry, at) => {
    total += entry.weight;
    if (index.hasStem(entry.stem)) {
      found += entry.weight;
      return;
    }
    if (!isTelling(entry.kinds)) return;
    if (index.hasSense(entry.senses)) alike += entry.weight;
    else {
      newWords++;
      newWeight += entry.weight;
      heaviest = Math.max(heaviest, entry.weight);
    }
    if ((entry.kinds & KIND.number) !== 0) newNumbers++;
    else if (isName(stretch, at)) newNames++;
  });
  const all = Math.max(total, 0.1);
  put(features, 'coverage', found / all);
  put(features, 'coverageAlike', (found + 0.85 * alike) / all);
  put(features, 'newWords', Math.min(8, newWords));
  put(features, 'newWordShare', newWeight / all);
  put(features, 'heaviestNewWord', heaviest);
  put(features, 'newNumbers', Math.min(4, newNumbers));
  put(features, 'newNames', Math.min(4, newNames));
  addRuns(features, entries, index);
}

function addRuns(features: Float32Array, entries: readonly Entry[], index: SourceIndex): void {
  let pairs = 0;
  let triples = 0;
  let run = 1;
  let longest = 1;
  let runs = 1;
  let broken = 0;
  for (let at = 1; at < entries.length; at++) {
    const [a, b] = [entries[at - 1] as Entry, entries[at] as Entry];
    const earlier = entries[at - 2];
    const paired = index.hasRow([a.stem, b.stem]);
    if (paired) pairs++;
    else if (index.hasStem(a.stem) && index.hasStem(b.stem)) broken++;
    const tripled = paired && earlier !== undefined && index.hasRow([earlier.stem, a.stem, b.stem]);
    const goesOn = paired && (run === 1 || tripled);
    if (tripled) triples++;
    if (goesOn) run++;
    else {
      run = 1;
      runs++;
    }
    longest = Math.max(longest, run);
  }
  const count = entries.length;
  put(features, 'pairShare', count > 1 ? pairs / (count - 1) : 1);
  put(features, 'tripleShare', count > 2 ? triples / (count - 2) : 1);
  put(features, 'longestRun', longest / Math.max(1, count));
  put(features, 'runLength', Math.log(count / runs));
  put(features, 'brokenPairs', count > 1 ? broken / (count - 1) : 0);
}

/**
 * Whether a bare number is given as the answer that the source has, but not at its end: a reckoning
 * ends with its result.
 */
function isEarlyNumber({ entries }: Stretch, { words }: SourceIndex): boolean {
  const numbers = entries.filter(({ kinds }) => (kinds & KIND.number) !== 0);
  const other = entries.filter(({ kinds }) => isTelling(kinds)).length - numbers.length;
  if (numbers.length !== 1 || other > 2) return false;
  let seen = 0;
  for (let at = words.count - 1; at >= 0 && seen < 2; at--) {
    if (((words.entries[at] as Entry).kinds & KIND.number) === 0) continue;
    if ((words.entries[at] as Entry).stem === numbers[0]?.stem) return false;
    seen++;
  }
  return seen > 0;
}

/** Words that stand in the source, but neither in the best sentence nor beside it. */
function addNearness(
  features: Float32Array,
  stretch: Stretch,
  index: SourceIndex,
  pair: Pair,
  sentence: number,
): void {
  let total = 0;
  let covered = 0;
  let numbers = 0;
  let names = 0;
  let words = 0;
  stretch.entries.forEach((entry, at) => {
    total += entry.weight;
    const quality =
      (pair.alignment.partner[at] as number) >= 0 ? (pair.alignment.quality[at] as number) : 0;
    const near = quality === 1 || index.isNear(entry.stem, sentence);
    covered += near ? entry.weight : quality * entry.weight;
    if (near || quality > 0 || !index.hasStem(entry.stem)) return;
    if (!isTelling(entry.kinds)) return;
    words++;
    if ((entry.kinds & KIND.number) !== 0) numbers++;
    else if (isName(stretch, at)) names++;
  });
  const all = Math.max(total, 0.1);
  const best = pair.features[0] as number;
  put(features, 'strayNumbers', Math.min(4, numbers));
  put(features, 'strayNames', Math.min(4, names));
  put(features, 'strayWords', Math.min(8, words));
  put(features, 'neighbourCoverage', covered / all);
  put(features, 'neighbourGain', covered / all - best);
  put(features, 'bestGap', (features[INDEX.coverageAlike] as number) - best);
}
