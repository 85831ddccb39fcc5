import type { Alignment } from './alignment.ts';
import { type Entry, KIND } from './lexicon.ts';

/** How many words apart two places may be to count as the same. */
const NEAR = 2;
/** How far to look for a word that has a partner. */
const REACH = 3;

/**
 * Denying words that one side has and the other has not, where what stands around them is the same on
 * both sides: "do not" against "do", but also "don't" against "do".
 */
export function countDenialFlips(
  claim: readonly Entry[],
  source: readonly Entry[],
  { partner, reverse }: Alignment,
): number {
  const denied = source.flatMap((entry, at) => (isDenying(entry) ? [at] : []));
  const open = new Set(denied);
  let flips = 0;
  claim.forEach((entry, at) => {
    if (!isDenying(entry)) return;
    const place = placeOf(partner, at);
    const match = [...open].find((other) => Math.abs(other - place) <= NEAR);
    if (match !== undefined) open.delete(match);
    else if (hasCommonSurroundings(partner, at)) flips++;
  });
  for (const at of open) if (hasCommonSurroundings(reverse, at)) flips++;
  return flips;
}

function isDenying({ kinds }: Entry): boolean {
  return (kinds & KIND.negation) !== 0;
}

/** Where a word is, or would be, on the other side. */
function placeOf(partner: readonly number[], at: number): number {
  for (let far = 0; far <= REACH; far++) {
    const before = partner[at - far] ?? -1;
    if (before >= 0) return before + far;
    const after = partner[at + far] ?? -1;
    if (after >= 0) return after - far;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Whether the nearest words with a partner on both sides of a word are neighbours there as well. */
function hasCommonSurroundings(partner: readonly number[], at: number): boolean {
  const left = nearestPartner(partner, at, -1);
  const right = nearestPartner(partner, at, 1);
  if (left < 0 || right < 0) return Math.max(left, right) >= 0 && (partner[at] ?? -1) >= 0;
  return right > left && right - left <= NEAR + 1;
}

function nearestPartner(partner: readonly number[], at: number, step: number): number {
  for (let far = 1; far <= REACH; far++) {
    const other = partner[at + step * far] ?? -1;
    if (other >= 0) return other;
  }
  return -1;
}
