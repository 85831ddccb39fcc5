import { isFunctionWord } from '../language/function-words.ts';
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

/** Follows the words of one text and reports where they run along a protected text. */
export interface ProtectedMatcher {
  /** Takes the words up to number `until` (exclusive) of the buffer. */
  advance(until: number): void;
  /** Ends all rows that are still open. */
  finish(): void;
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

/** Makes a matcher over `words`; `report` gets each match as soon as it has ended. */
export function createProtectedMatcher(
  index: ProtectedIndex,
  words: WordBuffer,
  report: (match: ProtectedMatch) => void,
): ProtectedMatcher {
  let open: Chain[] = [];
  let next = 0;

  function close(chain: Chain): void {
    if (chain.seeds < MIN_SEEDS || chain.textEnd - chain.textStart < MIN_SPAN) return;
    const overlap = overlapOf(index, words, chain);
    const document = index.documents[chain.corpusStart] as number;
    if (overlap !== undefined) report({ ...overlap, document });
  }

  function closeOld(at: number): void {
    if (open.length === 0) return;
    const kept: Chain[] = [];
    for (const chain of open) {
      if (at - chain.textEnd > TEXT_GAP) close(chain);
      else kept.push(chain);
    }
    open = kept;
  }

  function hit(at: number, place: number, length: number, mayOpen: boolean): void {
    for (const chain of open) {
      const ahead = place - chain.corpusEnd;
      const same = index.documents[place] === index.documents[chain.corpusStart];
      if (!same || ahead > CORPUS_GAP || place + length < chain.corpusEnd - CORPUS_GAP) continue;
      if (at + length > chain.textEnd) chain.seeds++;
      chain.textEnd = Math.max(chain.textEnd, at + length);
      chain.corpusStart = Math.min(chain.corpusStart, place);
      chain.corpusEnd = Math.max(chain.corpusEnd, place + length);
      return;
    }
    if (!mayOpen) return;
    if (open.length >= MAX_OPEN) close(open.shift() as Chain);
    const chain = { textStart: at, textEnd: at + length, corpusStart: place };
    open.push({ ...chain, corpusEnd: place + length, seeds: 1 });
  }

  function look(at: number, key: number, length: number): void {
    const postings = length === 3 ? index.triples : index.pairs;
    const from = postings.find(key);
    if (from < 0) return;
    const to = postings.endOf(from);
    if (to - from <= COMMON) {
      for (let slot = from; slot < to; slot++) {
        hit(at, postings.places[slot] as number, length, true);
      }
      return;
    }
    for (const chain of [...open]) {
      const place = firstFrom(postings.places, from, to, chain.corpusEnd - length);
      if (place >= 0) hit(at, place, length, false);
    }
  }

  function advance(until: number): void {
    const { hash } = words;
    for (; next + 1 < until; next++) {
      const a = hash[next] as number;
      const b = hash[next + 1] as number;
      if (open.length > 0 && (next & 7) === 0) closeOld(next);
      if (!(isFunctionWord(a) || isFunctionWord(b))) look(next, pairKey(a, b), 2);
      if (next + 2 < until) look(next, tripleKey(a, b, hash[next + 2] as number), 3);
    }
  }

  return {
    // The last word waits for the next one, so that no row of words is looked at in part.
    advance: (until) => advance(until - 1),
    finish() {
      advance(words.count);
      open.forEach(close);
      open = [];
    },
  };
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
