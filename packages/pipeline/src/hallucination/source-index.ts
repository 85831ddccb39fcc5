import type { Entry } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import { isName } from '../language/pair.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { wordSpanOf } from '../language/words.ts';
import type { PlaceLists } from './place-lists.ts';
import { createPlaceLists } from './place-lists.ts';
import { SourceNumbers } from './source-numbers.ts';

/** Places looked at for one word: beyond that it is too common to be informative, and the work stays linear. */
const MAX_PLACES = 256;
const STEP = 2048;
/** Indexes over more words than this are not kept. */
const MAX_KEPT = 1 << 14;
const MAX_SPARE = 2;
const spare: SourceIndex[] = [];
const NONE: ReadonlySet<number> = new Set();

/** Where the words of a source stand. Words are known by the number that their stem has in it. */
export class SourceIndex {
  words: Words | undefined;
  /** Number of the word at each place. */
  numbers = new Int32Array(512);
  /** Number of the sentence of each place. */
  sentenceOf = new Int32Array(512);
  /** Numbers that the user stated, which the source may lack. */
  given: ReadonlySet<number> = NONE;
  readonly stems: PlaceLists = createPlaceLists();
  readonly #senses: PlaceLists = createPlaceLists();
  #hasSenses = false;
  readonly #forms = new SourceNumbers();
  #hasForms = false;
  /** What a claim shares with each sentence; all zero between claims. */
  #shared = new Float32Array(128);
  /** The sentences that a claim shares anything with. */
  #touched = new Int32Array(128);
  #touchedCount = 0;

  /** Reads a source, in steps of some thousand words; yields between them. */
  *fill(words: Words): Generator<void> {
    this.words = words;
    this.#hasSenses = false;
    this.#hasForms = false;
    if (this.numbers.length < words.count) {
      this.numbers = new Int32Array(words.count * 2);
      this.sentenceOf = new Int32Array(words.count * 2);
    }
    if (this.#shared.length < words.sentences.length) {
      this.#shared = new Float32Array(words.sentences.length * 2);
      this.#touched = new Int32Array(words.sentences.length * 2);
    }
    this.stems.reset(words.count);
    const { numbers, sentenceOf } = this;
    let sentence = 0;
    for (let at = 0; at < words.count; at++) {
      while ((words.sentences[sentence + 1] as number) <= at) sentence++;
      sentenceOf[at] = sentence;
      numbers[at] = this.stems.add(words.stems[at] as number, at);
      if (at % STEP === STEP - 1) yield;
    }
  }

  /** Whether a word with one of these meanings stands in the source. */
  hasSense(senses: readonly number[]): boolean {
    if (senses.length === 0) return false;
    for (const sense of senses) if (this.#senseLists().find(sense) >= 0) return true;
    return false;
  }

  /** Whether the source has a number of a claim in another form, or the number is given. */
  hasForm(words: Words, at: number): boolean {
    if (this.given.has(words.entries[at]?.value ?? Number.NaN)) return true;
    if (!this.#hasForms) this.#forms.fill(this.words as Words);
    this.#hasForms = true;
    return this.#forms.hasForm(words, at);
  }

  /** Needed only where a claim has a word that the source does not have. */
  #senseLists(): PlaceLists {
    if (this.#hasSenses) return this.#senses;
    const { count, entries } = this.words as Words;
    this.#senses.reset(count);
    for (let at = 0; at < count; at++) {
      for (const sense of (entries[at] as Entry).senses) this.#senses.add(sense, at);
    }
    this.#hasSenses = true;
    return this.#senses;
  }

  /** Whether a word is written as a name where it stands first within a sentence. */
  isNamed(number: number): boolean {
    const { heads, places, next } = this.stems;
    let link = heads[number] as number;
    for (let seen = 0; link >= 0 && seen < MAX_PLACES; seen++) {
      const sentence = this.sentenceOf[places[link] as number] as number;
      const span = this.span(sentence);
      const at = (places[link] as number) - span.from;
      if (at > 0) return isName(span, at);
      link = next[link] as number;
    }
    return false;
  }

  /** Whether a word stands in a sentence or in one beside it. */
  isNear(number: number, sentence: number): boolean {
    const { sentences } = this.words as Words;
    const from = sentences[Math.max(0, sentence - 1)] as number;
    const to = sentences[Math.min(sentences.length - 1, sentence + 2)] as number;
    const { heads, places, next } = this.stems;
    let link = heads[number] as number;
    for (let seen = 0; link >= 0 && seen < MAX_PLACES; seen++) {
      const place = places[link] as number;
      if (place >= to) return false;
      if (place >= from) return true;
      link = next[link] as number;
    }
    return false;
  }

  /**
   * Whether the words with the numbers own[from, to) stand side by side somewhere. Goes through the
   * places of the rarest one; where even that one has very many, the answer is yes: the row consists of
   * the commonest words only.
   */
  hasRow(own: Int32Array, from: number, to: number): boolean {
    return this.findRow(own, from, to) !== -1;
  }

  /** The place at which such a row begins; -1 where there is none, -2 where it was not looked for. */
  findRow(own: Int32Array, from: number, to: number): number {
    const { heads, lengths, places, next } = this.stems;
    let rarest = from;
    for (let at = from; at < to; at++) {
      const number = own[at] as number;
      if (number < 0) return -1;
      if ((lengths[number] as number) < (lengths[own[rarest] as number] as number)) rarest = at;
    }
    const number = own[rarest] as number;
    if ((lengths[number] as number) > MAX_PLACES) return -2;
    const { count } = this.words as Words;
    for (let link = heads[number] as number; link >= 0; link = next[link] as number) {
      const first = (places[link] as number) - (rarest - from);
      if (first < 0 || first + to - from > count) continue;
      let at = from;
      while (at < to && this.numbers[first + at - from] === own[at]) at++;
      if (at === to) return first;
    }
    return -1;
  }

  /** The words of a sentence. */
  span(sentence: number): WordSpan {
    const words = this.words as Words;
    const from = words.sentences[sentence] as number;
    return wordSpanOf(words, from, words.sentences[sentence + 1] as number);
  }

  /** Adds a weight to each sentence that has a word. */
  share(number: number, weight: number): void {
    this.#share(this.stems, number, weight);
  }

  /** Adds a weight to each sentence that has a word with a meaning. */
  shareSense(sense: number, weight: number): void {
    const lists = this.#senseLists();
    const number = lists.find(sense);
    if (number >= 0) this.#share(lists, number, weight);
  }

  #share({ heads, places, next }: PlaceLists, number: number, weight: number): void {
    let link = heads[number] as number;
    let last = -1;
    for (let seen = 0; link >= 0 && seen < MAX_PLACES; seen++) {
      const sentence = this.sentenceOf[places[link] as number] as number;
      if (sentence !== last) {
        const held = this.#shared[sentence] as number;
        if (held === 0) this.#touched[this.#touchedCount++] = sentence;
        this.#shared[sentence] = held + weight;
      }
      last = sentence;
      link = next[link] as number;
    }
  }

  /**
   * Writes the two sentences with the largest weights, the second one only where it has at least
   * `close` of the first; begins anew after that. Returns how many.
   */
  takeNearest(best: Int32Array, close: number): number {
    let [first, second] = [-1, -1];
    let [most, next] = [0, 0];
    for (let at = 0; at < this.#touchedCount; at++) {
      const sentence = this.#touched[at] as number;
      const weight = this.#shared[sentence] as number;
      this.#shared[sentence] = 0;
      if (weight > most) {
        [second, next] = [first, most];
        [first, most] = [sentence, weight];
      } else if (weight > next) [second, next] = [sentence, weight];
    }
    this.#touchedCount = 0;
    best[0] = first;
    best[1] = second;
    if (first < 0) return 0;
    return second >= 0 && next >= close * most ? 2 : 1;
  }

  /** Ends the use of the index: it is used again. */
  giveBack(): void {
    this.words = undefined;
    this.given = NONE;
    if (spare.length < MAX_SPARE && this.numbers.length <= MAX_KEPT) spare.push(this);
  }
}

/** An empty index: one that was given back, where there is one. */
export function takeSourceIndex(): SourceIndex {
  return spare.pop() ?? new SourceIndex();
}

/** Whether a word is informative enough to look for the sentences that have it. */
export function isInformative(kinds: number): boolean {
  return (kinds & KIND.function) === 0;
}
