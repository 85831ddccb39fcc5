import { SHAPE } from './join-words.ts';
import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import { ALIKE, RELATION } from './word-relation.ts';
import type { WordSpan } from './words.ts';

/** How two words relate: bits of RELATION. */
export type Relation = (a: Entry, b: Entry) => number;

/** How alike partners are that are not the same word. */
const SYNONYM = 0.85;
const DERIVED = 0.75;
/** A claim in a broader word follows from the source; one in a narrower word does not. */
const BROADER = 0.75;
const NEAR = 0.6;
/** A shared row of words is worth more than the same words apart. */
const RUN_BONUS = 0.4;
const FIRST_LENGTH = 96;

/** For the sums of one comparison, to save making an array each time; nothing in it outlives a call. */
const WORK_SPACE = new Float32Array(1 << 14);
/** Longer rows of words are compared in their first part only; a sentence and a question are shorter. */
const MAX_SHARED = 1024;
/** Places of the shared words of both sides; nothing in them outlives a call. */
const OWN = new Int32Array(MAX_SHARED);
const OTHER = new Int32Array(MAX_SHARED);
/** Which words the other side has, by the last bits of their stems. */
const MARKS = { table: new Int32Array(1024), mask: 1023, last: 0 };

/** Words of a claim beside those of a source; valid below the two counts, and until the next use. */
export class Alignment {
  /** For each word of the claim the number of its partner in the source, or -1. */
  partner = new Int32Array(FIRST_LENGTH);
  /** For each word of the source the number of its partner in the claim, or -1. */
  reverse = new Int32Array(FIRST_LENGTH);
  /** How alike the partners are: 1 the same word, 0.85 a synonym, 0.75 another form. */
  quality = new Float32Array(FIRST_LENGTH);
  /** 1 where the partner does not stand in the order of the rest. */
  displaced = new Uint8Array(FIRST_LENGTH);
  claimCount = 0;
  sourceCount = 0;
  /** How many partners are displaced. */
  displacedCount = 0;

  /** Begins a comparison of so many words with so many. */
  reset(claimCount: number, sourceCount: number): void {
    if (this.partner.length < claimCount) {
      this.partner = new Int32Array(claimCount * 2);
      this.quality = new Float32Array(claimCount * 2);
      this.displaced = new Uint8Array(claimCount * 2);
    }
    if (this.reverse.length < sourceCount) this.reverse = new Int32Array(sourceCount * 2);
    this.claimCount = claimCount;
    this.sourceCount = sourceCount;
    this.displacedCount = 0;
    this.partner.fill(-1, 0, claimCount);
    this.reverse.fill(-1, 0, sourceCount);
    this.quality.fill(0, 0, claimCount);
    this.displaced.fill(0, 0, claimCount);
  }

  pair(i: number, j: number, quality: number, displaced: number): void {
    this.partner[i] = j;
    this.reverse[j] = i;
    this.quality[i] = quality;
    this.displaced[i] = displaced;
    this.displacedCount += displaced;
  }
}

/**
 * Aligns words with partners: first words that are the same, in order (the heaviest common subsequence), then the
 * same words out of order with the small words beside them, then synonyms, other forms, and words of
 * like contexts.
 */
export function alignWords(
  claim: WordSpan,
  source: WordSpan,
  relation: Relation,
  to: Alignment,
): Alignment {
  to.reset(claim.to - claim.from, source.to - source.from);
  alignInOrder(claim, source, to);
  if (to.displacedCount > 0) extendRows(claim, source, to);
  alignAlike(claim, source, relation, to);
  return to;
}

function alignInOrder(claim: WordSpan, source: WordSpan, to: Alignment): void {
  const own = claim.words.stems;
  const other = source.words.stems;
  let [low, high] = [claim.from, claim.to];
  let [first, last] = [source.from, source.to];
  // What both begin and end with needs no search.
  while (low < high && first < last && own[low] === other[first]) {
    to.pair(low++ - claim.from, first++ - source.from, 1, 0);
  }
  while (low < high && first < last && own[high - 1] === other[last - 1]) {
    to.pair(--high - claim.from, --last - source.from, 1, 0);
  }
  const rows = findShared(other, first, last, own, low, high, OWN);
  const length = rows === 0 ? 0 : findShared(own, low, high, other, first, last, OTHER);
  if (length === 0) return;
  const width = length + 1;
  const size = (rows + 1) * width;
  const best = size <= WORK_SPACE.length ? WORK_SPACE : new Float32Array(size);
  fillSums(claim, source, rows, length, best);
  for (let i = 0, j = 0; i < rows && j < length; ) {
    const held = best[i * width + j] as number;
    if (held === best[(i + 1) * width + j]) i++;
    else if (held === best[i * width + j + 1]) j++;
    else {
      to.pair((OWN[i++] as number) - claim.from, (OTHER[j++] as number) - source.from, 1, 0);
    }
  }
  alignDisplaced(claim, source, rows, length, to);
}

/**
 * Writes the places in stems[from, to) of words that are among others[first, last), and now and then one
 * that is not: the table knows only the last bits.
 */
function findShared(
  others: Int32Array,
  first: number,
  last: number,
  stems: Int32Array,
  from: number,
  to: number,
  places: Int32Array,
): number {
  const mark = (MARKS.last + 1) | 0;
  MARKS.last = mark;
  for (let at = first; at < last; at++) MARKS.table[(others[at] as number) & MARKS.mask] = mark;
  let count = 0;
  for (let at = from; at < to && count < MAX_SHARED; at++) {
    if (MARKS.table[(stems[at] as number) & MARKS.mask] === mark) places[count++] = at;
  }
  return count;
}

/** For each two places what the words from there on have in common at best. */
function fillSums(
  { words: { stems, weights } }: WordSpan,
  { words: { stems: others } }: WordSpan,
  rows: number,
  length: number,
  best: Float32Array,
): void {
  const width = length + 1;
  // One row and one column more than there are words, all zero.
  best.fill(0, rows * width, (rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    const place = OWN[i] as number;
    const stem = stems[place] as number;
    const weight = weights[place] as number;
    const next = i + 1 < rows && OWN[i + 1] === place + 1 ? stems[place + 1] : undefined;
    const row = i * width;
    let held = 0;
    best[row + length] = 0;
    for (let j = length - 1; j >= 0; j--) {
      const down = best[row + width + j] as number;
      if (down > held) held = down;
      const other = OTHER[j] as number;
      if (others[other] === stem) {
        const follows = j + 1 < length && next === others[other + 1] ? RUN_BONUS : 0;
        const take = (best[row + width + j + 1] as number) + weight + follows;
        if (take > held) held = take;
      }
      best[row + j] = held;
    }
  }
}

function alignDisplaced(
  claim: WordSpan,
  source: WordSpan,
  rows: number,
  length: number,
  to: Alignment,
): void {
  const { stems, kinds } = claim.words;
  const others = source.words.stems;
  for (let at = 0; at < rows; at++) {
    const place = OWN[at] as number;
    const i = place - claim.from;
    if ((to.partner[i] as number) >= 0 || ((kinds[place] as number) & KIND.function) !== 0)
      continue;
    const stem = stems[place] as number;
    for (let other = 0; other < length; other++) {
      const j = (OTHER[other] as number) - source.from;
      if (others[OTHER[other] as number] !== stem || (to.reverse[j] as number) >= 0) continue;
      to.pair(i, j, 1, 1);
      break;
    }
  }
}

/** The words beside displaced ones that are the same on both sides: a clause moves with its small words. */
function extendRows(claim: WordSpan, source: WordSpan, to: Alignment): void {
  const own = claim.words.stems;
  const other = source.words.stems;
  const extend = (i: number, from: number, step: number): void => {
    if ((to.partner[i] as number) >= 0 || (to.partner[from] as number) < 0) return;
    const j = (to.partner[from] as number) + step;
    if (j < 0 || j >= to.sourceCount || (to.reverse[j] as number) >= 0) return;
    if (to.displaced[from] !== 1 || own[claim.from + i] !== other[source.from + j]) return;
    to.pair(i, j, 1, 1);
  };
  for (let i = 1; i < to.claimCount; i++) extend(i, i - 1, 1);
  for (let i = to.claimCount - 2; i >= 0; i--) extend(i, i + 1, -1);
}

function alignAlike(claim: WordSpan, source: WordSpan, relation: Relation, to: Alignment): void {
  let left = findOpen(source, to);
  for (let i = 0; i < to.claimCount && left > 0; i++) {
    if ((to.partner[i] as number) >= 0) continue;
    const at = claim.from + i;
    if (((claim.words.kinds[at] as number) & (KIND.function | KIND.number)) !== 0) continue;
    const entry = claim.words.entries[at] as Entry;
    const capital = (claim.words.shape[at] as number) & SHAPE.capital;
    let bestAt = -1;
    let best = 0;
    for (let open = 0; open < left; open++) {
      const place = OTHER[open] as number;
      const bits = relation(entry, source.words.entries[place] as Entry);
      if ((bits & ALIKE) === 0 || (bits & RELATION.opposite) !== 0) continue;
      // Names that occur in like contexts are not the same.
      if ((bits & RELATION.near) !== 0 && (capital & (source.words.shape[place] as number)) !== 0)
        continue;
      const quality = qualityOf(bits);
      if (quality <= best) continue;
      best = quality;
      bestAt = open;
    }
    if (bestAt < 0) continue;
    to.pair(i, (OTHER[bestAt] as number) - source.from, best, 0);
    OTHER.copyWithin(bestAt, bestAt + 1, left--);
  }
}

/** Writes the places of the source's words of substance that have no partner yet. */
function findOpen({ words, from }: WordSpan, { reverse, sourceCount }: Alignment): number {
  let open = 0;
  for (let j = 0; j < sourceCount && open < MAX_SHARED; j++) {
    if ((reverse[j] as number) >= 0) continue;
    if (((words.kinds[from + j] as number) & KIND.function) === 0) OTHER[open++] = from + j;
  }
  return open;
}

function qualityOf(bits: number): number {
  if ((bits & RELATION.synonym) !== 0) return SYNONYM;
  if ((bits & RELATION.derived) !== 0) return DERIVED;
  return (bits & RELATION.narrower) !== 0 ? BROADER : NEAR;
}
