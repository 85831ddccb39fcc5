import { isFunctionWord } from '../language/function-words.ts';
import type { ProtectedIndex } from './protected-index.ts';
import type { WordBuffer } from './word-buffer.ts';

/** How far a stretch of text follows a protected text; words are numbers in the text. */
export interface Overlap {
  readonly start: number;
  readonly end: number;
  /** Shared words, and of these the longest row without a break. */
  readonly matched: number;
  readonly longest: number;
  /** What the shared words tell: 1 for a word of substance, a quarter for a function word. */
  readonly weight: number;
  /** Shared words by those of the stretch in the protected text, 0 to 1. */
  readonly density: number;
}

interface Stretch {
  readonly textStart: number;
  readonly textEnd: number;
  readonly corpusStart: number;
  readonly corpusEnd: number;
}

const MARGIN = 6;
/** Longer rows are beyond doubt; only their first words are compared one by one. */
const MAX_COMPARED = 96;
/** What a word that is not shared costs, in shared words. */
const FOREIGN_COST = 0.35;

/**
 * Compares a stretch word by word with the protected words beside it: a longest common subsequence,
 * and words of substance that stand elsewhere in the stretch.
 */
export function overlapOf(
  index: ProtectedIndex,
  words: WordBuffer,
  stretch: Stretch,
): Overlap | undefined {
  const textFrom = Math.max(0, stretch.textStart - MARGIN);
  const textTo = Math.min(words.count, stretch.textEnd + MARGIN, textFrom + MAX_COMPARED);
  const document = index.documents[stretch.corpusStart];
  let from = Math.max(0, stretch.corpusStart - MARGIN);
  let to = Math.min(index.words.length, stretch.corpusEnd + MARGIN, from + MAX_COMPARED);
  while (index.documents[from] !== document) from++;
  while (index.documents[to - 1] !== document) to--;
  const partner = align(words.hash.subarray(textFrom, textTo), index.words.subarray(from, to));
  const overlap = measure(index, partner, from, textFrom);
  if (overlap === undefined || stretch.textEnd <= textTo) return overlap;
  return { ...overlap, end: stretch.textEnd };
}

/** For each word of `text` the number of its partner in `source`, or -1. */
function align(text: Int32Array, source: Int32Array): Int32Array {
  const width = source.length + 1;
  const best = new Uint8Array((text.length + 1) * width);
  for (let i = text.length - 1; i >= 0; i--) {
    for (let j = source.length - 1; j >= 0; j--) {
      const skip = Math.max(best[(i + 1) * width + j] as number, best[i * width + j + 1] as number);
      const take = text[i] === source[j] ? (best[(i + 1) * width + j + 1] as number) + 1 : 0;
      best[i * width + j] = Math.max(skip, take);
    }
  }
  const partner = new Int32Array(text.length).fill(-1);
  const taken = new Uint8Array(source.length);
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
  addDisplaced(text, source, partner, taken);
  return partner;
}

/** Words of substance within three places of where they would belong. */
function addDisplaced(
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
    if (expected < 0 || isFunctionWord(text[i] as number)) continue;
    for (let j = Math.max(0, expected - 4); j < Math.min(source.length, expected + 4); j++) {
      if (taken[j] === 1 || source[j] !== text[i]) continue;
      partner[i] = j;
      taken[j] = 1;
      break;
    }
  }
}

/** Leaves out shared words that stand alone at either end, far from the rest. */
function measure(
  index: ProtectedIndex,
  partner: Int32Array,
  from: number,
  textFrom: number,
): Overlap | undefined {
  const ends = trim(partner);
  if (ends === undefined) return undefined;
  const [first, last] = ends;
  let matched = 0;
  let weight = 0;
  let longest = 0;
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
    weight += index.weights[from + j] as number;
    low = Math.min(low, j);
    high = Math.max(high, j);
  }
  const density = matched / (high - low + 1);
  return { start: textFrom + first, end: textFrom + last + 1, matched, longest, weight, density };
}

/** The stretch that has most shared words for the others in it; both ends have company. */
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
    sum += hasCompany(partner, at) ? 1 : -FOREIGN_COST;
    if (sum <= most) continue;
    most = sum;
    best = [from, at];
  }
  return best !== undefined && best[0] < best[1] ? best : undefined;
}

/** Whether a shared word has another one right beside it that is also its neighbour in the source. */
function hasCompany(partner: Int32Array, at: number): boolean {
  const j = partner[at] as number;
  if (j < 0) return false;
  const before = partner[at - 1] ?? -1;
  const after = partner[at + 1] ?? -1;
  return (before >= 0 && Math.abs(j - before) <= 2) || (after >= 0 && Math.abs(after - j) <= 2);
}
