import type { Claim } from '../language/claims.ts';
import { isCovered } from '../language/covered.ts';
import type { Grammar } from '../language/grammar.ts';
import type { Lexicon } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { isCorrectArithmetic, numbersOf } from './arithmetic.ts';
import { ClaimComparer } from './claim-features.ts';
import { errorTypeOf } from './error-type.ts';
import { MIN_SCORE } from './judged-claims.ts';
import type { ClaimModel } from './model.ts';
import { hallucinationModel } from './model.ts';
import type { RecordSource } from './records/record-source.ts';
import { isAboutRecords, recordScore, writeRecordFeatures } from './records/record-support.ts';
import { CLAIM_FEATURES } from './source-features.ts';
import type { SourceIndex } from './source-index.ts';
import { takeSourceIndex } from './source-index.ts';

/** What a sentence of the source gets that the response repeats word for word. */
const COPY_SCORE = 0.005;
/** Shorter claims may do without a word of grammar. */
const LEAST_WORDS = 6;
/** Comparers that are not in use. */
const comparers: ClaimComparer[] = [];

/** How likely a claim is unfounded, and by which features. */
interface Scored {
  readonly score: number;
  /** Valid until the next claim is scored. */
  readonly features: Float32Array;
}

/** The sources of a scan. */
export interface ClaimSources {
  /** The words of prose. */
  readonly source: Words;
  readonly records: RecordSource | undefined;
  /** Whether prose is given as a source, beside instructions. */
  readonly isProseGiven: boolean;
  /** The prompt, unless it is a source. */
  readonly asked?: string | undefined;
}

/** Scores the claims of one response, in their order, against prose and records. */
export class ClaimScorer {
  readonly #text: string;
  readonly #source: Words;
  readonly #records: RecordSource | undefined;
  readonly #model: ClaimModel = hallucinationModel();
  readonly #index: SourceIndex = takeSourceIndex();
  readonly #comparer: ClaimComparer;
  readonly #features = new Float32Array(CLAIM_FEATURES.length);
  /** Whether there is prose, and in a language that is covered. */
  readonly #hasProse: boolean;
  readonly #isProseCovered: boolean;
  readonly #isProseGiven: boolean;
  readonly #asked: string;
  readonly #lexicon: Lexicon;

  /** @param text the response */
  constructor(
    text: string,
    { source, records, isProseGiven, asked = '' }: ClaimSources,
    lexicon: Lexicon,
  ) {
    this.#text = text;
    this.#source = source;
    this.#asked = asked;
    this.#lexicon = lexicon;
    this.#records = records?.isCovered === true ? records : undefined;
    this.#isProseGiven = isProseGiven || records?.hasProse === true;
    this.#comparer = comparers.pop() ?? new ClaimComparer(lexicon);
    this.#hasProse = records === undefined || source.count > 0;
    this.#isProseCovered = isCovered(source) && records?.isCovered !== false;
  }

  /** Reads the prose, in steps of some thousand words; yields between them. */
  *prepare(): Generator<void> {
    yield* this.#index.fill(this.#source);
    // An answer may repeat the user's statements, but not each number of the question.
    const said = this.#asked.replace(QUESTION, ' ');
    this.#index.given = new Set(askedNumbers(said, this.#lexicon.grammar));
  }

  /** Undefined where the sources are in a language that is not covered, and so may bear the claim out. */
  score(claim: Claim): Scored | undefined {
    const recorded = this.#records && this.#scoreRecords(claim, this.#records);
    if (!this.#hasProse) return recorded;
    if (!this.#isProseCovered) {
      return recorded !== undefined && recorded.score < MIN_SCORE ? recorded : undefined;
    }
    if (recorded !== undefined && recorded.score <= COPY_SCORE) return recorded;
    const told = this.#scoreProse(claim);
    return recorded === undefined || told.score <= recorded.score ? told : recorded;
  }

  giveBack(): void {
    this.#index.giveBack();
    this.#comparer.clear();
    comparers.push(this.#comparer);
  }

  #scoreProse(claim: Claim): Scored {
    const comparer = this.#comparer;
    if (comparer.isCopy(claim, this.#index)) {
      return { score: COPY_SCORE, features: comparer.features };
    }
    const features = comparer.compare(claim, this.#index);
    const score = this.#model.toScore(this.#model.sum(features), features);
    const source = this.#source;
    const isResult = this.#computes(claim, score, features, () =>
      numbersOf(source, 0, source.count),
    );
    return { score: isResult ? COPY_SCORE : score, features };
  }

  #scoreRecords(claim: Claim, records: RecordSource): Scored | undefined {
    if (!isSentenceOfLanguage(claim.span)) return undefined;
    const found = records.compare(claim.span, this.#text);
    // What says nothing of the records may be about the prose, and wrong.
    if (this.#isProseGiven && !isAboutRecords(found)) return undefined;
    const features = this.#features;
    writeRecordFeatures(found, features);
    const score = recordScore(found);
    const isResult = this.#computes(claim, score, features, () => records.numbers());
    return { score: isResult ? COPY_SCORE : score, features };
  }

  /** Whether a number that the sources do not have is computed correctly from those that they have. */
  #computes(
    { span, start, end }: Claim,
    score: number,
    features: Float32Array,
    numbers: () => ReadonlySet<number>,
  ): boolean {
    if (score < MIN_SCORE || errorTypeOf(features) !== 'number') return false;
    const { grammar } = this.#lexicon;
    const asked = { text: this.#asked, numbers: askedNumbers(this.#asked, grammar) };
    return isCorrectArithmetic(this.#text.slice(start, end), span, numbers, asked, grammar.sums);
  }
}

/**
 * Whether a claim has a word of the language's grammar, if it is long enough to have one. An answer is in the language of the
 * prose that it is about; records do not show a language.
 */
function isSentenceOfLanguage({ words, from, to }: WordSpan): boolean {
  let count = 0;
  for (let at = from; at < to; at++) {
    const kinds = words.kinds[at] as number;
    if ((kinds & KIND.function) !== 0) return true;
    if ((kinds & KIND.number) === 0) count++;
  }
  return count < LEAST_WORDS;
}

const QUESTION = /[^.!?\n]*\?/g;
const WORD = /[\p{L}\d][\p{L}\d.,:]*[\p{L}\d]|\d/gu;

/** The numbers of a question. */
function askedNumbers(text: string, grammar: Grammar): number[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.map((word) => grammar.number(word)).filter((value) => value > 0);
}
