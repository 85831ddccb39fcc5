import type { Alignment } from './alignment.ts';
import type { WordSpan } from './words.ts';

/** Words between two shared rows that still belong to one, and how many more the other side may have. */
const LOOSE = 2;
const UNEVEN = 1;
/** Words between two parts that changed places, at most; and how many of them have to be the same. */
const MAX_BETWEEN = 12;
const SAME_SHARE = 0.6;
/** More rows than this are no swap of two. */
const MAX_ROWS = 24;

/** First and last word of each shared row, in the claim and in the source; nothing outlives a call. */
const OWN_FROM = new Int32Array(MAX_ROWS);
const OWN_TO = new Int32Array(MAX_ROWS);
const OTHER_FROM = new Int32Array(MAX_ROWS);
const OTHER_TO = new Int32Array(MAX_ROWS);

/**
 * Parts of a statement that have changed places around what stands between them: "B of A" for "A of
 * B", "C sees A" for "A sees C". A clause that merely moved to the front is none.
 */
export function countSwaps(claim: WordSpan, source: WordSpan, alignment: Alignment): number {
  if (alignment.displacedCount === 0) return 0;
  const rows = findRows(alignment);
  let swaps = 0;
  for (let at = 0; at + 1 < rows; at++) {
    if ((OTHER_FROM[at + 1] as number) > (OTHER_FROM[at] as number)) continue;
    const descends =
      at + 2 < rows && (OTHER_FROM[at + 2] as number) < (OTHER_FROM[at + 1] as number);
    if (descends || isTurned(claim, source, at)) swaps++;
    if (descends) at++;
  }
  return swaps;
}

/** Cuts the claim into rows whose partners stand in the source as closely and in the same order. */
function findRows({ partner, claimCount }: Alignment): number {
  let rows = -1;
  for (let i = 0; i < claimCount; i++) {
    const j = partner[i] as number;
    if (j < 0) continue;
    if (!(rows >= 0 && goesOn(rows, i, j))) {
      if (rows + 1 >= MAX_ROWS) return rows + 1;
      rows++;
      OWN_FROM[rows] = i;
      OTHER_FROM[rows] = j;
    }
    OWN_TO[rows] = i;
    OTHER_TO[rows] = j;
  }
  return rows + 1;
}

/** Whether two partners are as far from the end of a row on one side as on the other, and near it. */
function goesOn(row: number, i: number, j: number): boolean {
  const own = i - (OWN_TO[row] as number);
  const other = j - (OTHER_TO[row] as number);
  return other > 0 && other <= LOOSE + 1 && Math.abs(other - own) <= UNEVEN;
}

/** Whether two neighboring rows changed places around words that are much the same on both sides. */
function isTurned(claim: WordSpan, source: WordSpan, at: number): boolean {
  const from = claim.from + (OWN_TO[at] as number) + 1;
  const to = claim.from + (OWN_FROM[at + 1] as number);
  const first = source.from + (OTHER_TO[at + 1] as number) + 1;
  const last = source.from + (OTHER_FROM[at] as number);
  if (from >= to || first >= last || Math.max(to - from, last - first) > MAX_BETWEEN) return false;
  let same = 0;
  for (let own = from; own < to; own++) {
    const stem = claim.words.stems[own];
    let other = first;
    while (other < last && source.words.stems[other] !== stem) other++;
    if (other < last) same++;
  }
  return same >= SAME_SHARE * Math.max(to - from, last - first);
}
