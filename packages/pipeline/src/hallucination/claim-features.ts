import type { Claim } from '../language/claims.ts';
import type { Entry, Lexicon } from '../language/lexicon.ts';
import type { ComparedPair } from '../language/pair.ts';
import { PAIR_INDEX, Pair } from '../language/pair.ts';
import { comparePair } from '../language/pair-features.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { wordSpanOf } from '../language/words.ts';
import { addRuns } from './run-features.ts';
import { CLAIM_FEATURES, SOURCE_FEATURES, SOURCE_INDEX } from './source-features.ts';
import type { SourceIndex } from './source-index.ts';
import { isInformative } from './source-index.ts';
import { addNearness, addWords, isEarlyNumber, namesOf } from './word-features.ts';
import { WordLikeness } from './word-likeness.ts';

/** A sentence with less than this share of what the nearest one shares is not compared. */
const CLOSE = 0.6;
const FIRST_LENGTH = 96;
/** What two numbers that differ as written speak against a claim by. */
const CONFLICTS = (
  ['earlyNumber', 'numberConflict', 'numberUnmatched', 'unitConflict'] as const
).map((name) => CLAIM_FEATURES.indexOf(name));
/** What counts of a pair in choosing between two sentences. */
const RUN_SHARE = 0.5;

/** Compares claims with a source; what it gives back holds until it is asked again. */
export class ClaimComparer {
  readonly #lexicon: Lexicon;
  readonly #likeness: WordLikeness;
  readonly #pairs = [new Pair(), new Pair()] as const;
  readonly #nearest = new Int32Array(2);
  /** For each word of the claim its number in the source, or -1. */
  #numbers = new Int32Array(FIRST_LENGTH);
  /** The features of the claim that was compared last, in the order of CLAIM_FEATURES. */
  readonly features = new Float32Array(CLAIM_FEATURES.length);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#likeness = new WordLikeness(lexicon.vectors);
  }

  /** Whether the source has the claim as a whole sentence, word for word. */
  isCopy({ span }: Claim, index: SourceIndex): boolean {
    const { words, from, to, negated } = span;
    if (negated === 1 || to - from < MIN_COPY) return false;
    this.#number(span, index);
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
  compare({ span }: Claim, index: SourceIndex): Float32Array {
    const { features } = this;
    features.fill(0);
    this.#number(span, index);
    this.#shareWords(span, index);
    const count = index.takeNearest(this.#nearest, CLOSE);
    const sentence = this.#nearest[0] as number;
    let best = this.#comparePair(span, index, count === 0 ? -1 : sentence, 0);
    let bestSentence = Math.max(0, sentence);
    if (count === 2) {
      const second = this.#comparePair(span, index, this.#nearest[1] as number, 1);
      if (worth(second) > worth(best)) {
        best = second;
        bestSentence = this.#nearest[1] as number;
      }
    }
    const names = namesOf(span, index, this.#numbers);
    const hasForms = addWords(features, span, index, this.#numbers, names);
    addRuns(features, span, index, this.#numbers);
    addNearness(features, span, index, best, bestSentence, this.#numbers, names);
    this.#likeness.add(features, span, index, bestSentence, this.#numbers);
    if (isEarlyNumber(span, index.words as Words)) features[SOURCE_INDEX.earlyNumber] = 1;
    features.set(best.features, SOURCE_FEATURES.length);
    // A number in another form is none in another's place.
    if (hasForms && features[SOURCE_INDEX.newNumbers] === 0) {
      for (const place of CONFLICTS) features[place] = 0;
    }
    return features;
  }

  #number({ words, from, to }: WordSpan, index: SourceIndex): void {
    if (this.#numbers.length < to - from) this.#numbers = new Int32Array((to - from) * 2);
    for (let at = from; at < to; at++) {
      this.#numbers[at - from] = index.stems.find(words.stems[at] as number);
    }
  }

  /** Adds to the index what each sentence shares with the claim, by the weights of the words. */
  #shareWords({ words, from, to }: WordSpan, index: SourceIndex): void {
    for (let at = from; at < to; at++) {
      if (!isInformative(words.kinds[at] as number)) continue;
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

  /** Drops the references to the texts that were compared last. */
  clear(): void {
    for (const pair of this.#pairs) pair.clear();
  }

  #comparePair(span: WordSpan, index: SourceIndex, sentence: number, pair: 0 | 1): ComparedPair {
    const source = sentence < 0 ? wordSpanOf(index.words as Words, 0, 0) : index.span(sentence);
    return comparePair(span, source, this.#lexicon, this.#pairs[pair]);
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
