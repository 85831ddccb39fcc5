import { hashWord } from '../tokens/word-hash.ts';
import type { LettersAt, Partners } from './partners.ts';
import { findPartners } from './partners.ts';
import type { ProtectedIndex } from './protected-index.ts';
import type { WordBuffer } from './word-buffer.ts';

/** How far a span of text follows a protected text; words are numbers in the text. */
export interface Overlap {
  readonly start: number;
  readonly end: number;
  /** Shared words, and of these the longest row without a break. */
  readonly matched: number;
  readonly longest: number;
  /** Of the shared words those that are misspelt or have another ending. */
  readonly similar: number;
  /** The weight of the shared words: 1 for a content word, a quarter for a function word. */
  readonly weight: number;
  /** Shared words by those of the span in the protected text, 0 to 1. */
  readonly density: number;
  /** Shared words by those of the span in the text but for marks of one sign, 0 to 1. */
  readonly tightness: number;
}

interface MatchedSpan {
  readonly textStart: number;
  readonly textEnd: number;
  readonly corpusStart: number;
  readonly corpusEnd: number;
  /** Whether the words come in the opposite order. */
  readonly backwards: boolean;
}

const MARGIN = 6;
/** Longer rows are beyond doubt; only their first words are compared one by one. */
const MAX_COMPARED = 96;
// Not signs of scripts whose words are single signs.
const MARKS: ReadonlySet<number> = new Set(
  [...'abcdefghijklmnopqrstuvwxyz0123456789'].map((sign) => hashWord(sign)),
);
/** What a word that is not shared costs, in shared words. */
const MISMATCH_COST = 0.5;

/**
 * Compares a span word by word with the protected words beside it.
 *
 * @param lettersAt the letters of the text's words, where these are known
 */
export function overlapOf(
  index: ProtectedIndex,
  words: WordBuffer,
  span: MatchedSpan,
  lettersAt: LettersAt | undefined,
): Overlap | undefined {
  const { backwards } = span;
  const textFrom = Math.max(0, span.textStart - MARGIN);
  const textTo = Math.min(words.count, span.textEnd + MARGIN, textFrom + MAX_COMPARED);
  const document = index.documents[span.corpusStart];
  let from = Math.max(0, span.corpusStart - MARGIN);
  let to = Math.min(index.words.length, span.corpusEnd + MARGIN);
  if (backwards) from = Math.max(from, to - MAX_COMPARED);
  else to = Math.min(to, from + MAX_COMPARED);
  while (index.documents[from] !== document) from++;
  while (index.documents[to - 1] !== document) to--;
  const source = index.words.subarray(from, to);
  const kept = withoutMarks(words, textFrom, textTo, source);
  if (backwards) kept.reverse();
  const partners = findPartners(
    kept.map((word) => words.hash[word] as number),
    source,
    lettersAt && ((at) => lettersAt(kept[at] as number)),
    (at) => index.letters[from + at] as number,
  );
  const overlap = measure(index, partners, from);
  if (overlap === undefined) return undefined;
  const { start, end } = overlap;
  const first = kept[backwards ? end - 1 : start] as number;
  const last = kept[backwards ? start : end - 1] as number;
  return { ...overlap, start: first, end: span.textEnd > textTo ? span.textEnd : last + 1 };
}

/** The numbers of the words but for single letters and digits such as those of a tag or a list. */
function withoutMarks(words: WordBuffer, from: number, to: number, source: Int32Array): Int32Array {
  return Int32Array.from({ length: to - from }, (_, at) => from + at).filter((word) => {
    const hash = words.hash[word] as number;
    return !MARKS.has(hash) || source.includes(hash);
  });
}

/** By numbers in the compared part. Leaves out shared words that stand alone, far from the rest. */
function measure(
  index: ProtectedIndex,
  { partner, similar }: Partners,
  from: number,
): Overlap | undefined {
  const ends = trim(partner);
  if (ends === undefined) return undefined;
  const [first, last] = ends;
  let matched = 0;
  let weight = 0;
  let longest = 0;
  let alike = 0;
  let row = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = -1;
  for (let at = first; at <= last; at++) {
    const j = partner[at] as number;
    if (j < 0) {
      row = 0;
      continue;
    }
    row = at > first && j === (partner[at - 1] as number) + 1 ? row + 1 : 1;
    longest = Math.max(longest, row);
    matched++;
    alike += similar[at] as number;
    weight += index.weights[from + j] as number;
    low = Math.min(low, j);
    high = Math.max(high, j);
  }
  const density = Math.min(1, matched / (high - low + 1));
  const tightness = matched / (last + 1 - first);
  return {
    start: first,
    end: last + 1,
    matched,
    longest,
    similar: alike,
    weight,
    density,
    tightness,
  };
}

/** The span that has most shared words for the others in it; at both ends the next word is shared as well. */
function trim(partner: Int32Array): [number, number] | undefined {
  let best: [number, number] | undefined;
  let most = 0;
  let sum = 0;
  let from = 0;
  for (let at = 0; at < partner.length; at++) {
    if (sum <= 0) {
      sum = 0;
      from = at;
    }
    sum += hasAlignedNeighbour(partner, at) ? 1 : -MISMATCH_COST;
    if (sum <= most) continue;
    most = sum;
    best = [from, at];
  }
  return best !== undefined && best[0] < best[1] ? best : undefined;
}

/** Whether a shared word has another one right beside it that is also its neighbor in the source. */
function hasAlignedNeighbour(partner: Int32Array, at: number): boolean {
  const j = partner[at] as number;
  if (j < 0) return false;
  const before = partner[at - 1] ?? -1;
  const after = partner[at + 1] ?? -1;
  return (before >= 0 && Math.abs(j - before) <= 2) || (after >= 0 && Math.abs(after - j) <= 2);
}
