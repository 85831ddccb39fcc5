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
  const open = denialsOf(source);
  let flips = 0;
  for (let at = 0; at < claim.length; at++) {
    if (!isDenying(claim[at] as Entry)) continue;
    const place = placeOf(partner, at);
    const match = open.findIndex((other) => Math.abs(other - place) <= NEAR);
    if (match >= 0) open.splice(match, 1);
    else if (hasCommonSurroundings(partner, at)) flips++;
  }
  for (const at of open) if (hasCommonSurroundings(reverse, at)) flips++;
  return flips;
}

function denialsOf(entries: readonly Entry[]): number[] {
  const places: number[] = [];
  for (let at = 0; at < entries.length; at++) {
    if (isDenying(entries[at] as Entry)) places.push(at);
  }
  return places;
}

function isDenying({ kinds }: Entry): boolean {
  return (kinds & KIND.negation) !== 0;
}

/** Where a word is, or would be, on the other side. */
function placeOf(partner: readonly number[], at: number): number {
  for (let far = 0; far <= REACH; far++) {
    const before = at >= far ? (partner[at - far] as number) : -1;
    if (before >= 0) return before + far;
    const after = at + far < partner.length ? (partner[at + far] as number) : -1;
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
