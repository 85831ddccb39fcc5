import { isFunctionWord } from '../language/function-words.ts';
import type { Postings } from '../language/postings.ts';
import { type Overlap, overlapOf } from './overlap.ts';
import { type ProtectedIndex, pairKey, tripleKey } from './protected-index.ts';
import type { WordBuffer } from './word-buffer.ts';

/** A stretch of a text that follows a protected text, by word numbers of the text, end exclusive. */
export interface ProtectedMatch extends Overlap {
  readonly document: number;
}

/** A row of shared words that may still go on. */
interface Chain {
  textStart: number;
  textEnd: number;
  corpusStart: number;
  corpusEnd: number;
  seeds: number;
}

/** How many words may be left out or put in between two shared rows of words. */
const TEXT_GAP = 24;
const CORPUS_GAP = 14;
/** A key with more places than this is boilerplate: it may lengthen a row but not begin one. */
const COMMON = 8;
const MAX_OPEN = 24;
/** A row with less than this cannot come to a score that counts. */
const MIN_SEEDS = 2;
const MIN_SPAN = 6;

/** Follows the words of one text and reports where they run along a protected text, row by row. */
export class ProtectedMatcher {
  readonly #index: ProtectedIndex;
  readonly #words: WordBuffer;
  readonly #report: (match: ProtectedMatch) => void;
  #open: Chain[] = [];
  #next = 0;

  /** @param report gets each match as soon as it has ended */
  constructor(index: ProtectedIndex, words: WordBuffer, report: (match: ProtectedMatch) => void) {
    this.#index = index;
    this.#words = words;
    this.#report = report;
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
    const { hash } = this.#words;
    let at = this.#next;
    let isLight = at + 1 < until && isFunctionWord(hash[at] as number);
    for (; at + 1 < until; at++) {
      const a = hash[at] as number;
      const b = hash[at + 1] as number;
      const wasLight = isLight;
      isLight = isFunctionWord(b);
      if (this.#open.length > 0 && (at & 7) === 0) this.#closeOld(at);
      if (!(wasLight || isLight)) this.#look(at, pairKey(a, b), 2, this.#index.pairs);
      if (at + 2 >= until) continue;
      this.#look(at, tripleKey(a, b, hash[at + 2] as number), 3, this.#index.triples);
    }
    this.#next = Math.max(at, this.#next);
  }

  #look(at: number, key: number, length: number, postings: Postings): void {
    const from = postings.find(key);
    if (from < 0) return;
    const to = postings.endOf(from);
    if (to - from <= COMMON) {
      for (let slot = from; slot < to; slot++) {
        this.#hit(at, postings.places[slot] as number, length, true);
      }
      return;
    }
    for (const chain of [...this.#open]) {
      const place = firstFrom(postings.places, from, to, chain.corpusEnd - length);
      if (place >= 0) this.#hit(at, place, length, false);
    }
  }

  #hit(at: number, place: number, length: number, mayOpen: boolean): void {
    const { documents } = this.#index;
    // Newest first, so that a second copy soon after the first one goes on in its own chain.
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const chain = this.#open[index] as Chain;
      const ahead = place - chain.corpusEnd;
      const same = documents[place] === documents[chain.corpusStart];
      if (!same || ahead > CORPUS_GAP || place + length < chain.corpusEnd - CORPUS_GAP) continue;
      if (at + length > chain.textEnd) chain.seeds++;
      chain.textEnd = Math.max(chain.textEnd, at + length);
      chain.corpusStart = Math.min(chain.corpusStart, place);
      chain.corpusEnd = Math.max(chain.corpusEnd, place + length);
      return;
    }
    if (!mayOpen) return;
    if (this.#open.length >= MAX_OPEN) this.#close(this.#open.shift() as Chain);
    const chain = { textStart: at, textEnd: at + length, corpusStart: place };
    this.#open.push({ ...chain, corpusEnd: place + length, seeds: 1 });
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
    if (chain.seeds < MIN_SEEDS || chain.textEnd - chain.textStart < MIN_SPAN) return;
    const overlap = overlapOf(this.#index, this.#words, chain);
    const document = this.#index.documents[chain.corpusStart] as number;
    if (overlap !== undefined) this.#report({ ...overlap, document });
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
