import type { Alignment } from './alignment.ts';
import { KIND } from './lexicon.ts';
import type { WordSpan } from './words.ts';

/** How many words apart two places may be to count as the same. */
const NEAR = 2;
/** How far to look for a word that has a partner. */
const REACH = 3;
/** More negations than this in one sentence are not compared. */
const MAX_NEGATIONS = 16;

/** Places of the source's negations; nothing in it outlives a call. */
const OPEN = new Int32Array(MAX_NEGATIONS);

/**
 * Negations that one side has and the other has not, where what stands around them is the same on
 * both sides: "do not" against "do", but also "don't" against "do".
 */
export function countNegationFlips(
  { words, from }: WordSpan,
  source: WordSpan,
  { partner, reverse, claimCount, sourceCount }: Alignment,
): number {
  let open = openNegations(source);
  let flips = 0;
  for (let at = 0; at < claimCount; at++) {
    if (((words.kinds[from + at] as number) & KIND.negation) === 0) continue;
    const place = placeOf(partner, claimCount, at);
    let match = 0;
    while (match < open && Math.abs((OPEN[match] as number) - place) > NEAR) match++;
    if (match < open) {
      OPEN.copyWithin(match, match + 1, open);
      open--;
    } else if (hasCommonSurroundings(partner, claimCount, at, sourceCount)) flips++;
  }
  for (let at = 0; at < open; at++) {
    if (hasCommonSurroundings(reverse, sourceCount, OPEN[at] as number, claimCount)) flips++;
  }
  return flips;
}

function openNegations({ words, from, to }: WordSpan): number {
  let open = 0;
  for (let at = from; at < to && open < MAX_NEGATIONS; at++) {
    if (((words.kinds[at] as number) & KIND.negation) !== 0) OPEN[open++] = at - from;
  }
  return open;
}

/** Where a word is, or would be, on the other side. */
function placeOf(partner: Int32Array, count: number, at: number): number {
  for (let far = 0; far <= REACH; far++) {
    const before = at >= far ? (partner[at - far] as number) : -1;
    if (before >= 0) return before + far;
    const after = at + far < count ? (partner[at + far] as number) : -1;
    if (after >= 0) return after - far;
  }
  return Number.NEGATIVE_INFINITY;
}

/**
 * Whether the nearest words with a partner on both sides of a word are neighbors there as well. At
 * an end of its sentence it is enough that its one neighbor stands at that end of the other.
 */
function hasCommonSurroundings(
  partner: Int32Array,
  count: number,
  at: number,
  otherCount: number,
): boolean {
  const left = nearestPartner(partner, count, at, -1);
  const right = nearestPartner(partner, count, at, 1);
  if (left >= 0 && right >= 0) return right > left && right - left <= NEAR + 1;
  if (left < 0 && right < 0) return false;
  if ((partner[at] as number) >= 0) return true;
  if (right < 0) return at >= count - 2 && left >= otherCount - 2 && partner[at - 1] === left;
  return at <= 1 && right <= 1 && partner[at + 1] === right;
}

function nearestPartner(partner: Int32Array, count: number, at: number, step: number): number {
  for (let far = 1; far <= REACH; far++) {
    const place = at + step * far;
    if (place < 0 || place >= count) return -1;
    if ((partner[place] as number) >= 0) return partner[place] as number;
  }
  return -1;
}
