import { type Entry, KIND } from './lexicon.ts';
import { isKindred, isSameWord, isSynonym } from './word-relation.ts';

/** A row of words with their stems. */
export interface AlignedWords {
  readonly entries: readonly Entry[];
  readonly stems: readonly number[];
}

/** Words of a claim beside those of a source sentence. */
export interface Alignment {
  /** For each word of the claim the number of its partner in the source, or -1. */
  readonly partner: number[];
  /** For each word of the source the number of its partner in the claim, or -1. */
  readonly reverse: number[];
  /** How alike the partners are: 1 the same word, 0.85 a synonym, 0.75 another form. */
  readonly quality: number[];
  /** 1 where the partner does not stand in the order of the rest. */
  readonly displaced: number[];
}

const SYNONYM = 0.85;
const KINDRED = 0.75;
const NEAR = 0.6;
/** Cosine from which words that stand in like company count as near each other. */
const NEAR_COSINE = 0.72;
/** A shared row of words is worth more than the same words apart. */
const RUN_BONUS = 0.4;

/** For the sums of one comparison, to save making an array each time; nothing in it outlives a call. */
const WORK_SPACE = new Float32Array(4096);

function filled(length: number, value: number): number[] {
  const values: number[] = [];
  for (let at = 0; at < length; at++) values.push(value);
  return values;
}

/** Cosine of the vectors of two words. */
export type Cosine = (a: number, b: number) => number;

/**
 * Finds partners: first words that are the same, in order (the heaviest common subsequence), then the
 * same words out of order, then synonyms, other forms, and words of like company.
 */
export function alignWords(claim: AlignedWords, source: AlignedWords, cosine: Cosine): Alignment {
  const alignment: Alignment = {
    partner: filled(claim.entries.length, -1),
    reverse: filled(source.entries.length, -1),
    quality: filled(claim.entries.length, 0),
    displaced: filled(claim.entries.length, 0),
  };
  alignInOrder(claim, source, alignment);
  alignDisplaced(claim.entries, source.entries, alignment);
  alignAlike(claim.entries, source.entries, alignment, cosine);
  return alignment;
}

function alignInOrder(claim: AlignedWords, source: AlignedWords, to: Alignment): void {
  const [own, other] = [claim.stems, source.stems];
  const width = other.length + 1;
  const size = (own.length + 1) * width;
  const best = size <= WORK_SPACE.length ? WORK_SPACE : new Float32Array(size);
  // One row and one column more than there are words, all zero.
  best.fill(0, own.length * width, size);
  for (let i = own.length - 1; i >= 0; i--) {
    const stem = own[i] as number;
    const next = own[i + 1];
    const weight = (claim.entries[i] as Entry).weight;
    const row = i * width;
    let held = 0;
    best[row + other.length] = 0;
    for (let j = other.length - 1; j >= 0; j--) {
      const down = best[row + width + j] as number;
      if (down > held) held = down;
      if (other[j] === stem) {
        const follows = next !== undefined && next === other[j + 1] ? RUN_BONUS : 0;
        const take = (best[row + width + j + 1] as number) + weight + follows;
        if (take > held) held = take;
      }
      best[row + j] = held;
    }
  }
  for (let i = 0, j = 0; i < own.length && j < other.length; ) {
    const at = i * width + j;
    const held = best[at] as number;
    if (held === best[at + width]) i++;
    else if (held === best[at + 1]) j++;
    else pair(to, i++, j++, 1, 0);
  }
}

function pair(to: Alignment, i: number, j: number, quality: number, displaced: number): void {
  to.partner[i] = j;
  to.reverse[j] = i;
  to.quality[i] = quality;
  to.displaced[i] = displaced;
}

function alignDisplaced(claim: readonly Entry[], source: readonly Entry[], to: Alignment): void {
  for (let i = 0; i < claim.length; i++) {
    const entry = claim[i] as Entry;
    if ((to.partner[i] as number) >= 0 || isLight(entry)) continue;
    for (let j = 0; j < source.length; j++) {
      if ((to.reverse[j] as number) >= 0 || !isSameWord(entry, source[j] as Entry)) continue;
      pair(to, i, j, 1, 1);
      break;
    }
  }
}

function alignAlike(
  claim: readonly Entry[],
  source: readonly Entry[],
  to: Alignment,
  cosine: Cosine,
): void {
  for (let i = 0; i < claim.length; i++) {
    const entry = claim[i] as Entry;
    if ((to.partner[i] as number) >= 0 || isLight(entry) || (entry.kinds & KIND.number) !== 0)
      continue;
    let bestJ = -1;
    let best = 0;
    for (let j = 0; j < source.length; j++) {
      const other = source[j] as Entry;
      if ((to.reverse[j] as number) >= 0 || isLight(other)) continue;
      const quality = likeness(entry, other, cosine);
      if (quality <= best) continue;
      best = quality;
      bestJ = j;
    }
    if (bestJ >= 0) pair(to, i, bestJ, best, 0);
  }
}

/** How alike two words of substance are, 0 where nothing speaks for it. */
export function likeness(a: Entry, b: Entry, cosine: Cosine): number {
  if (a.stem === b.stem) return 1;
  if (isSynonym(a, b)) return SYNONYM;
  if (isKindred(a, b)) return KINDRED;
  if (a.row < 0 || b.row < 0 || (b.kinds & KIND.number) !== 0) return 0;
  if (a.topics.length > 0 && b.topics.length > 0) return 0;
  return cosine(a.row, b.row) >= NEAR_COSINE ? NEAR : 0;
}

function isLight(entry: Entry): boolean {
  return (entry.kinds & KIND.function) !== 0;
}
