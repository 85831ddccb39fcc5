import { isFunctionWord } from '../language/function-words.ts';
import { areSimilar, joinLetters } from './word-letters.ts';

/** Which word of a protected text each word of a text stands for. */
export interface Partners {
  /** For each word of the text the number of its partner in the source, or -1. */
  readonly partner: Int32Array;
  /** 1 where a word and its partner are not the same, only similar. */
  readonly similar: Uint8Array;
}

/** The letters of a word by its number, as `lettersOf` packs them. */
export type LettersAt = (word: number) => number;

/** More words than this between two shared ones are no typing error. */
const MAX_GAP = 6;
/** So many words may have been written as one, or one as so many. */
const MAX_JOINED = 4;

/**
 * Pairs the words of two rows, given by hash: a longest common subsequence, then words of substance
 * that stand elsewhere in the row, then words in between that are misspelt, joined or parted.
 *
 * @param textLetters, sourceLetters undefined where words are not to be compared by letters
 */
export function findPartners(
  text: Int32Array,
  source: Int32Array,
  textLetters: LettersAt | undefined,
  sourceLetters: LettersAt,
): Partners {
  const partner = new Int32Array(text.length).fill(-1);
  const taken = new Uint8Array(source.length);
  const similar = new Uint8Array(text.length);
  pairCommon(text, source, partner, taken);
  pairDisplaced(text, source, partner, taken);
  if (textLetters !== undefined) {
    const pairing = { partner, taken, similar, textLetters, sourceLetters };
    for (let at = 0; at < text.length; at++) {
      if ((partner[at] as number) < 0) at = pairGap(pairing, at);
    }
  }
  return { partner, similar };
}

function pairCommon(
  text: Int32Array,
  source: Int32Array,
  partner: Int32Array,
  taken: Uint8Array,
): void {
  const width = source.length + 1;
  const best = new Uint8Array((text.length + 1) * width);
  for (let i = text.length - 1; i >= 0; i--) {
    for (let j = source.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j] as number, best[i * width + j + 1] as number);
      const take = text[i] === source[j] ? (best[(i + 1) * width + j + 1] as number) + 1 : 0;
      best[i * width + j] = Math.max(skip, take);
    }
  }
  for (let i = 0, j = 0; i < text.length && j < source.length; ) {
    if (
      text[i] === source[j] &&
      best[i * width + j] === (best[(i + 1) * width + j + 1] as number) + 1
    ) {
      partner[i] = j;
      taken[j++] = 1;
      i++;
    } else if ((best[(i + 1) * width + j] as number) >= (best[i * width + j + 1] as number)) i++;
    else j++;
  }
}

/** Words within three places of where they would belong; function words only beside it. */
function pairDisplaced(
  text: Int32Array,
  source: Int32Array,
  partner: Int32Array,
  taken: Uint8Array,
): void {
  let expected = -1;
  for (let i = 0; i < text.length; i++) {
    if ((partner[i] as number) >= 0) {
      expected = (partner[i] as number) + 1;
      continue;
    }
    if (expected < 0) continue;
    const reach = isFunctionWord(text[i] as number) ? 2 : 4;
    const last = Math.min(source.length, expected + reach);
    for (let j = Math.max(0, expected - reach); j < last; j++) {
      if (taken[j] === 1 || source[j] !== text[i]) continue;
      partner[i] = j;
      taken[j] = 1;
      break;
    }
  }
}

interface Pairing extends Partners {
  readonly taken: Uint8Array;
  readonly textLetters: LettersAt;
  readonly sourceLetters: LettersAt;
}

/** Pairs what stands between two shared words; returns the number of the last word looked at. */
function pairGap(pairing: Pairing, start: number): number {
  const { partner, taken } = pairing;
  let end = start;
  while (end < partner.length && (partner[end] as number) < 0) end++;
  const words = end - start;
  const left = start > 0 ? (partner[start - 1] as number) : -1;
  const right = end < partner.length ? (partner[end] as number) : taken.length;
  const from = start > 0 ? left + 1 : right - words;
  const to = end < partner.length ? right : left + 1 + words;
  const gap = to - from;
  const isWithin = from >= 0 && to <= taken.length && gap > 0;
  if (!isWithin || words > MAX_GAP || gap > MAX_GAP) return end;
  if (words === gap) pairSimilar(pairing, start, from, words);
  else if (words <= MAX_JOINED && gap <= MAX_JOINED) pairJoined(pairing, start, end, from, to);
  return end;
}

function pairSimilar(pairing: Pairing, start: number, from: number, words: number): void {
  const { partner, taken, similar, textLetters, sourceLetters } = pairing;
  for (let at = 0; at < words; at++) {
    if (taken[from + at] === 1) continue;
    if (!areSimilar(textLetters(start + at), sourceLetters(from + at))) continue;
    partner[start + at] = from + at;
    taken[from + at] = 1;
    similar[start + at] = 1;
  }
}

/** `find my way` and `findmyway`. */
function pairJoined(pairing: Pairing, start: number, end: number, from: number, to: number): void {
  const { partner, taken, textLetters, sourceLetters } = pairing;
  if (taken.subarray(from, to).includes(1)) return;
  if (joined(textLetters, start, end) !== joined(sourceLetters, from, to)) return;
  for (let at = start; at < end; at++) partner[at] = Math.min(from + at - start, to - 1);
  taken.fill(1, from, to);
}

function joined(letters: LettersAt, from: number, to: number): number {
  let all = letters(from);
  for (let at = from + 1; at < to; at++) all = joinLetters(all, letters(at));
  return all;
}
