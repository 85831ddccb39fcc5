import { isFunctionWord } from '../language/function-words.ts';
import type { Postings } from '../language/postings.ts';
import type { Overlap } from './overlap.ts';
import { overlapOf } from './overlap.ts';
import type { LettersAt } from './partners.ts';
import type { ProtectedIndex } from './protected-index.ts';
import { pairKey, tripleKey } from './protected-index.ts';
import type { WordBuffer } from './word-buffer.ts';

/** A span of a text that follows a protected text, by word numbers of the text, end exclusive. */
export interface ProtectedMatch extends Overlap {
  readonly document: number;
  /** How many words the protected text has. */
  readonly documentSize: number;
  /** Whether the words come in the opposite order. */
  readonly backwards: boolean;
}

/** A row of shared words that may still go on. */
interface Chain {
  textStart: number;
  textEnd: number;
  corpusStart: number;
  corpusEnd: number;
  seeds: number;
  /** How often a further row stood behind the ones before, and how often in front of them. */
  rises: number;
  falls: number;
}

/** How many words may be left out or put in between two shared rows of words. */
const TEXT_GAP = 24;
const CORPUS_GAP = 14;
/** Of a key with more places than this, those are looked at where an open row goes on, or the first one. */
const COMMON = 8;
const MAX_OPEN = 24;
/** A row with less than this cannot come to a score that counts. */
const MIN_SEEDS = 2;
const MIN_SPAN = 6;
/** What a function word takes from the count of unmatched words; single letters are none. */
const FUNCTION_WORD_CREDIT = 3;

/** Follows the words of one text and reports where they run along a protected text, row by row. */
export class ProtectedMatcher {
  readonly #index: ProtectedIndex;
  readonly #words: WordBuffer;
  readonly #report: (match: ProtectedMatch) => void;
  readonly #lettersAt: LettersAt | undefined;
  #open: Chain[] = [];
  #next = 0;
  #unmatched = 0;
  #longestUnmatched = 0;

  /**
   * @param report gets each match as soon as it has ended
   * @param lettersAt the letters of a word of the buffer, where these are known
   */
  constructor(
    index: ProtectedIndex,
    words: WordBuffer,
    report: (match: ProtectedMatch) => void,
    lettersAt?: LettersAt,
  ) {
    this.#index = index;
    this.#words = words;
    this.#report = report;
    this.#lettersAt = lettersAt;
  }

  /**
   * The most words nearly without a function word since it was asked last: in the open, a text in
   * English has few, and one in a cipher has many.
   */
  takeLongestUnmatched(): number {
    const longest = this.#longestUnmatched;
    this.#longestUnmatched = 0;
    return longest;
  }

  /** Takes the words up to number `until` (exclusive) of the buffer. */
  advance(until: number): void {
    // The last word waits for the next one, so that no row of words is looked at in part.
    this.#take(until - 1);
  }

  /** Ends all rows that are still open. */
  finish(): void {
    this.#take(this.#words.count);
    for (const chain of this.#open) this.#close(chain);
    this.#open = [];
  }

  #take(until: number): void {
    const { hash, start, end } = this.#words;
    let at = this.#next;
    let unmatched = this.#unmatched;
    let longest = this.#longestUnmatched;
    let isLight = at + 1 < until && isFunctionWord(hash[at] as number);
    for (; at + 1 < until; at++) {
      const a = hash[at] as number;
      const b = hash[at + 1] as number;
      const wasLight = isLight;
      isLight = isFunctionWord(b);
      if (isLight && (end[at + 1] as number) - (start[at + 1] as number) > 1) {
        unmatched = unmatched > FUNCTION_WORD_CREDIT ? unmatched - FUNCTION_WORD_CREDIT : 0;
      } else if (++unmatched > longest) longest = unmatched;
      if (this.#open.length > 0 && (at & 7) === 0) this.#closeOld(at);
      if (!(wasLight || isLight)) this.#look(at, pairKey(a, b), 2, this.#index.pairs, true);
      if (at + 2 >= until) continue;
      const key = tripleKey(a, b, hash[at + 2] as number);
      this.#look(at, key, 3, this.#index.triples, !(wasLight && isLight));
    }
    this.#next = Math.max(at, this.#next);
    this.#unmatched = unmatched;
    this.#longestUnmatched = longest;
  }

  #look(at: number, key: number, length: number, postings: Postings, mayOpen: boolean): void {
    const from = postings.find(key);
    if (from < 0) return;
    const to = postings.endOf(from);
    if (to - from <= COMMON) {
      for (let slot = from; slot < to; slot++) {
        const place = postings.places[slot] as number;
        if (!this.#follow(at, place, length)) this.#begin(at, place, length);
      }
      return;
    }
    let isFollowed = false;
    for (const chain of [...this.#open]) {
      const place = firstFrom(postings.places, from, to, chain.corpusEnd - length);
      if (place >= 0 && this.#follow(at, place, length)) isFollowed = true;
    }
    if (mayOpen && !isFollowed) this.#begin(at, postings.places[from] as number, length);
  }

  /** Whether the words from number `at` on lengthen an open row. */
  #follow(at: number, place: number, length: number): boolean {
    const { documents } = this.#index;
    // Newest first, so that a second copy soon after the first one goes on in its own chain.
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const chain = this.#open[index] as Chain;
      const ahead = place - chain.corpusEnd;
      const same = documents[place] === documents[chain.corpusStart];
      const front = chain.falls > chain.rises ? chain.corpusStart : chain.corpusEnd;
      if (!same || ahead > CORPUS_GAP || place + length < front - CORPUS_GAP) continue;
      if (at + length > chain.textEnd) chain.seeds++;
      if (place < chain.corpusStart) chain.falls++;
      else if (ahead + length > 0) chain.rises++;
      chain.textEnd = Math.max(chain.textEnd, at + length);
      chain.corpusStart = Math.min(chain.corpusStart, place);
      chain.corpusEnd = Math.max(chain.corpusEnd, place + length);
      return true;
    }
    return false;
  }

  #begin(at: number, place: number, length: number): void {
    if (this.#open.length >= MAX_OPEN) this.#close(this.#open.shift() as Chain);
    this.#open.push({
      textStart: at,
      textEnd: at + length,
      corpusStart: place,
      corpusEnd: place + length,
      seeds: 1,
      rises: 0,
      falls: 0,
    });
  }

  #closeOld(at: number): void {
    const kept: Chain[] = [];
    for (const chain of this.#open) {
      if (at - chain.textEnd > TEXT_GAP) this.#close(chain);
      else kept.push(chain);
    }
    this.#open = kept;
  }

  #close(chain: Chain): void {
    const document = this.#index.documents[chain.corpusStart] as number;
    const documentSize = this.#index.sizes[document] as number;
    const span = chain.textEnd - chain.textStart;
    if (chain.seeds < MIN_SEEDS || span < Math.min(MIN_SPAN, documentSize)) return;
    const backwards = chain.falls > chain.rises;
    const overlap = overlapOf(this.#index, this.#words, { ...chain, backwards }, this.#lettersAt);
    if (overlap !== undefined) this.#report({ ...overlap, document, documentSize, backwards });
  }
}

/** The first place from `wanted` on among places[from, to), or -1. */
function firstFrom(places: Int32Array, from: number, to: number, wanted: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < to ? (places[low] as number) : -1;
}
