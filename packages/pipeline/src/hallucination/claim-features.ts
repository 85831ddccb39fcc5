import type { Claim } from '../language/claims.ts';
import { type Entry, KIND, type Lexicon } from '../language/lexicon.ts';
import { type ComparedPair, isName, PAIR_INDEX, Pair } from '../language/pair.ts';
import { comparePair } from '../language/pair-features.ts';
import { type Stretch, stretchOf, type Words } from '../language/words.ts';
import { addRuns } from './run-features.ts';
import { CLAIM_FEATURES, SOURCE_FEATURES, SOURCE_INDEX } from './source-features.ts';
import { isTelling, type SourceIndex } from './source-index.ts';

/** A sentence with less than this share of what the nearest one shares is not compared. */
const CLOSE = 0.6;
const FIRST_LENGTH = 96;
/** What counts of a pair in choosing between two sentences. */
const RUN_SHARE = 0.5;

/** Compares claims with a source; what it gives back holds until it is asked again. */
export class ClaimComparer {
  readonly #lexicon: Lexicon;
  readonly #pairs = [new Pair(), new Pair()] as const;
  readonly #nearest = new Int32Array(2);
  /** For each word of the claim its number in the source, or -1. */
  #numbers = new Int32Array(FIRST_LENGTH);
  /** The features of the claim that was compared last, in the order of CLAIM_FEATURES. */
  readonly features = new Float32Array(CLAIM_FEATURES.length);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** Whether the source has the claim as a whole sentence, word for word. */
  isCopy({ stretch }: Claim, index: SourceIndex): boolean {
    const { words, from, to, denied } = stretch;
    if (denied === 1 || to - from < MIN_COPY) return false;
    this.#number(stretch, index);
    const place = index.findRow(this.#numbers, 0, to - from);
    if (place < 0) return false;
    const source = index.words as Words;
    const sentence = index.sentenceOf[place] as number;
    if (source.sentences[sentence] !== place) return false;
    if (source.sentences[sentence + 1] !== place + to - from) return false;
    for (let at = from; at < to; at++) {
      if (words.entries[at] !== source.entries[place + at - from]) return false;
    }
    return true;
  }

  /** Compares a claim with all of a source, and with the sentence that is nearest. */
  compare({ stretch }: Claim, index: SourceIndex): Float32Array {
    const { features } = this;
    features.fill(0);
    this.#number(stretch, index);
    this.#shareWords(stretch, index);
    const count = index.takeNearest(this.#nearest, CLOSE);
    const sentence = this.#nearest[0] as number;
    let best = this.#comparePair(stretch, index, count === 0 ? -1 : sentence, 0);
    let bestSentence = Math.max(0, sentence);
    if (count === 2) {
      const second = this.#comparePair(stretch, index, this.#nearest[1] as number, 1);
      if (worth(second) > worth(best)) {
        best = second;
        bestSentence = this.#nearest[1] as number;
      }
    }
    addWords(features, stretch, index, this.#numbers);
    addRuns(features, stretch, index, this.#numbers);
    addNearness(features, stretch, index, best, bestSentence, this.#numbers);
    if (isEarlyNumber(stretch, index.words as Words)) features[SOURCE_INDEX.earlyNumber] = 1;
    features.set(best.features, SOURCE_FEATURES.length);
    return features;
  }

  #number({ words, from, to }: Stretch, index: SourceIndex): void {
    if (this.#numbers.length < to - from) this.#numbers = new Int32Array((to - from) * 2);
    for (let at = from; at < to; at++) {
      this.#numbers[at - from] = index.stems.find(words.stems[at] as number);
    }
  }

  /** Tells the index what each sentence shares with the claim, by what the words tell. */
  #shareWords({ words, from, to }: Stretch, index: SourceIndex): void {
    for (let at = from; at < to; at++) {
      if (!isTelling(words.kinds[at] as number)) continue;
      const number = this.#numbers[at - from] as number;
      const weight = words.weights[at] as number;
      if (number >= 0) {
        index.share(number, weight);
        continue;
      }
      for (const sense of (words.entries[at] as Entry).senses) {
        index.shareSense(sense, SENSE_SHARE * weight);
      }
    }
  }

  #comparePair(stretch: Stretch, index: SourceIndex, sentence: number, pair: 0 | 1): ComparedPair {
    const source = sentence < 0 ? stretchOf(index.words as Words, 0, 0) : index.stretch(sentence);
    return comparePair(stretch, source, this.#lexicon, this.#pairs[pair]);
  }
}

/** A copy of fewer words may be an answer that is right or wrong by what was asked. */
const MIN_COPY = 4;
const SENSE_SHARE = 0.6;

function worth({ features }: ComparedPair): number {
  return (
    (features[PAIR_INDEX.claimCoverage] as number) +
    RUN_SHARE * (features[PAIR_INDEX.claimRuns] as number)
  );
}

function addWords(
  features: Float32Array,
  stretch: Stretch,
  index: SourceIndex,
  numbers: Int32Array,
): void {
  const { words, from, to } = stretch;
  let total = 0;
  let found = 0;
  let alike = 0;
  let newWords = 0;
  let newWeight = 0;
  let heaviest = 0;
  let newNumbers = 0;
  let newNames = 0;
  for (let at = from; at < to; at++) {
    const weight = words.weights[at] as number;
    total += weight;
    if ((numbers[at - from] as number) >= 0) {
      found += weight;
      continue;
    }
    const kinds = words.kinds[at] as number;
    if (!isTelling(kinds)) continue;
    if (index.hasSense((words.entries[at] as Entry).senses)) alike += weight;
    else {
      newWords++;
      newWeight += weight;
      heaviest = Math.max(heaviest, weight);
    }
    if ((kinds & KIND.number) !== 0) newNumbers++;
    else if (isName(stretch, at - from)) newNames++;
  }
  const all = Math.max(total, 0.1);
  features[SOURCE_INDEX.coverage] = found / all;
  features[SOURCE_INDEX.coverageAlike] = (found + 0.85 * alike) / all;
  features[SOURCE_INDEX.newWords] = Math.min(8, newWords);
  features[SOURCE_INDEX.newWordShare] = newWeight / all;
  features[SOURCE_INDEX.heaviestNewWord] = heaviest;
  features[SOURCE_INDEX.newNumbers] = Math.min(4, newNumbers);
  features[SOURCE_INDEX.newNames] = Math.min(4, newNames);
}

/**
 * Whether a bare number is given as the answer that the source has, but not at its end: a reckoning
 * ends with its result.
 */
function isEarlyNumber({ words, from, to }: Stretch, source: Words): boolean {
  let number = -1;
  let other = 0;
  for (let at = from; at < to; at++) {
    const kinds = words.kinds[at] as number;
    if ((kinds & KIND.number) !== 0) {
      if (number >= 0) return false;
      number = at;
    } else if (isTelling(kinds) && ++other > 2) return false;
  }
  if (number < 0) return false;
  let seen = 0;
  for (let at = source.count - 1; at >= 0 && seen < 2; at--) {
    if (((source.kinds[at] as number) & KIND.number) === 0) continue;
    if (source.stems[at] === words.stems[number]) return false;
    seen++;
  }
  return seen > 0;
}

/** Words that stand in the source, but neither in the best sentence nor beside it. */
function addNearness(
  features: Float32Array,
  stretch: Stretch,
  index: SourceIndex,
  { alignment, features: pairFeatures }: ComparedPair,
  sentence: number,
  numbers: Int32Array,
): void {
  const { words, from, to } = stretch;
  let total = 0;
  let covered = 0;
  let strayNumbers = 0;
  let names = 0;
  let stray = 0;
  let near = 0;
  let nearNames = 0;
  let telling = 0;
  let open = 0;
  for (let at = from; at < to; at++) {
    const weight = words.weights[at] as number;
    total += weight;
    const quality = alignment.quality[at - from] as number;
    const number = numbers[at - from] as number;
    const kinds = words.kinds[at] as number;
    const tells = isTelling(kinds);
    if (tells) telling += weight;
    if (quality === 1 || (number >= 0 && index.isNear(number, sentence))) {
      covered += weight;
      if (!tells) continue;
      near += weight;
      if (isName(stretch, at - from)) nearNames++;
      continue;
    }
    covered += quality * weight;
    if (!tells) continue;
    near += quality * weight;
    open += (1 - quality) * weight;
    if (quality > 0 || number < 0) continue;
    stray++;
    if ((kinds & KIND.number) !== 0) strayNumbers++;
    else if (isName(stretch, at - from)) names++;
  }
  const all = Math.max(total, 0.1);
  const best = pairFeatures[PAIR_INDEX.claimCoverage] as number;
  features[SOURCE_INDEX.nearWeight] = near;
  features[SOURCE_INDEX.nearNames] = Math.min(4, nearNames);
  features[SOURCE_INDEX.openShare] = telling === 0 ? 0 : open / telling;
  features[SOURCE_INDEX.strayNumbers] = Math.min(4, strayNumbers);
  features[SOURCE_INDEX.strayNames] = Math.min(4, names);
  features[SOURCE_INDEX.strayWords] = Math.min(8, stray);
  features[SOURCE_INDEX.neighbourCoverage] = covered / all;
  features[SOURCE_INDEX.neighbourGain] = covered / all - best;
  features[SOURCE_INDEX.bestGap] = (features[SOURCE_INDEX.coverageAlike] as number) - best;
}
