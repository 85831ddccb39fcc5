import type { Entry } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import type { WordVectors } from '../language/word-vectors.ts';
import type { WordSpan, Words } from '../language/words.ts';
import { SOURCE_INDEX } from './source-features.ts';
import type { SourceIndex } from './source-index.ts';
import { isInformative } from './source-index.ts';

/** Sentences of the source before and behind the nearest one whose words are looked at. */
const AROUND = 1;
/** Words of the source that are looked at for one claim, and words of the claim, at most. */
const MAX_SOURCE = 64;
const MAX_NEW = 12;
/** Cosine from which two words have something to do with each other. */
const LEAST = 0.35;
/** Signs in which two vectors of that cosine differ at most, of 64, with few exceptions. */
const MAX_DIFFERENT = 26;
/** What a synonym counts for. */
const SYNONYM = 0.85;

/** Finds words of a source that have something to do with new words of a claim. */
export class WordLikeness {
  readonly #vectors: WordVectors;
  /** Signs of the first 64 parts of each row's vector, as bits, for the rows that were read. */
  readonly #signs: Int32Array;
  readonly #known: Uint8Array;
  /** Rows of the words around the sentence that is nearest to a claim. */
  readonly #around = new Int32Array(MAX_SOURCE);
  /** Their signs. */
  readonly #low = new Int32Array(MAX_SOURCE);
  readonly #high = new Int32Array(MAX_SOURCE);
  #aroundCount = 0;

  constructor(vectors: WordVectors) {
    this.#vectors = vectors;
    this.#signs = new Int32Array(vectors.size * 2);
    this.#known = new Uint8Array(vectors.size);
  }

  /**
   * Adds how much of what the source does not say word for word has something like it there: for each
   * new word of substance the cosine of the nearest word around the nearest sentence; of the two whose
   * signs differ least, as comparing signs costs a fraction of a cosine.
   *
   * @param numbers for each word of the claim its number in the source, or -1
   */
  add(
    features: Float32Array,
    { words, from, to }: WordSpan,
    index: SourceIndex,
    sentence: number,
    numbers: Int32Array,
  ): void {
    let [total, open, heaviest, seen] = [0, 0, 0, 0];
    for (let at = from; at < to; at++) {
      if (!isInformative(words.kinds[at] as number)) continue;
      const weight = words.weights[at] as number;
      total += weight;
      if ((numbers[at - from] as number) >= 0) continue;
      if (seen++ === 0) this.#gather(index.words as Words, sentence);
      const left = weight * (1 - this.#likeness(words.entries[at] as Entry, index, seen));
      open += left;
      if (left > heaviest) heaviest = left;
    }
    features[SOURCE_INDEX.unlikeShare] = total === 0 ? 0 : open / total;
    features[SOURCE_INDEX.unlikeWord] = heaviest;
  }

  #gather({ sentences, entries, kinds }: Words, sentence: number): void {
    const from = sentences[Math.max(0, sentence - AROUND)] as number;
    const to = sentences[Math.min(sentences.length - 1, sentence + AROUND + 1)] as number;
    this.#aroundCount = 0;
    for (let at = from; at < to && this.#aroundCount < MAX_SOURCE; at++) {
      const { row } = entries[at] as Entry;
      if (row < 0 || !isInformative(kinds[at] as number)) continue;
      if (this.#known[row] === 0) this.#learn(row);
      this.#low[this.#aroundCount] = this.#signs[2 * row] as number;
      this.#high[this.#aroundCount] = this.#signs[2 * row + 1] as number;
      this.#around[this.#aroundCount++] = row;
    }
  }

  /** Likeness of a word to the most like one around the nearest sentence, 0 to 1. */
  #likeness({ row, kinds, senses }: Entry, index: SourceIndex, seen: number): number {
    if (index.hasSense(senses)) return SYNONYM;
    if (row < 0 || seen > MAX_NEW || (kinds & KIND.number) !== 0) return 0;
    if (this.#known[row] === 0) this.#learn(row);
    const low = this.#signs[2 * row] as number;
    const high = this.#signs[2 * row + 1] as number;
    let [first, second] = [-1, -1];
    let [least, next] = [MAX_DIFFERENT + 1, MAX_DIFFERENT + 1];
    for (let at = 0; at < this.#aroundCount; at++) {
      const different =
        countBits(low ^ (this.#low[at] as number)) + countBits(high ^ (this.#high[at] as number));
      if (different >= next) continue;
      if (different < least) {
        [second, next] = [first, least];
        [first, least] = [at, different];
      } else [second, next] = [at, different];
    }
    const cosine = Math.max(this.#cosine(row, first), this.#cosine(row, second));
    return cosine > LEAST ? cosine : 0;
  }

  #cosine(row: number, at: number): number {
    return at < 0 ? 0 : this.#vectors.cosine(row, this.#around[at] as number);
  }

  #learn(row: number): void {
    const { dimensions, values } = this.#vectors;
    const from = row * dimensions;
    for (let at = 0; at < Math.min(64, dimensions); at++) {
      if ((values[from + at] as number) <= 0) continue;
      const place = 2 * row + (at >>> 5);
      this.#signs[place] = (this.#signs[place] as number) | (1 << (at & 31));
    }
    this.#known[row] = 1;
  }
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
