import { type AlignedWords, type Alignment, alignWords } from './alignment.ts';
import { countDenialFlips } from './denial-flips.ts';
import { type Entry, KIND } from './lexicon.ts';
import { GAP, SHAPE } from './scan-words.ts';
import type { Words } from './sentences.ts';
import { isOpposite, isSameTopic, isSynonym } from './word-relation.ts';
import type { WordVectors } from './word-vectors.ts';

/** A row of words: a sentence, or several. */
export interface Stretch extends AlignedWords {
  readonly entries: readonly Entry[];
  readonly stems: readonly number[];
  readonly shape: readonly number[];
  readonly gap: readonly number[];
  /** 1 where the claim as a whole is denied, as by an answer "no" to a question. */
  readonly denied: number;
}

/** Names of the features, in the order in which {@link pairFeatures} writes them. */
export const PAIR_FEATURES = [
  'claimCoverage',
  'sourceCoverage',
  'claimExact',
  'claimRuns',
  'unmatched',
  'heaviestUnmatched',
  'numberUnmatched',
  'numberConflict',
  'nameUnmatched',
  'nameConflict',
  'opposites',
  'denial',
  'denialCount',
  'denialParity',
  'denialFlips',
  'topicConflict',
  'wordConflict',
  'quantifierConflict',
  'modalConflict',
  'calendarConflict',
  'unitConflict',
  'displaced',
  'exchanged',
  'insertedShare',
  'lengthRatio',
] as const;

/** A feature's name. */
export type PairFeature = (typeof PAIR_FEATURES)[number];

/** Where the features of a pair stand in an array. */
export const PAIR_INDEX = Object.freeze(
  Object.fromEntries(PAIR_FEATURES.map((name, at) => [name, at])),
) as Readonly<Record<PairFeature, number>>;

/** The words from `from` to `to` (exclusive) of a text. */
export function stretchOf(words: Words, from: number, to: number, denied = 0): Stretch {
  const entries = words.entries.slice(from, to);
  const shape = words.shape.slice(from, to);
  const gap = words.gap.slice(from, to);
  return { entries, stems: stemsOf(entries), shape, gap, denied };
}

/** The stems of a row of words. */
export function stemsOf(entries: readonly Entry[]): number[] {
  const stems: number[] = [];
  for (const { stem } of entries) stems.push(stem);
  return stems;
}

/** A pair of stretches, aligned. */
export interface Pair {
  readonly claim: Stretch;
  readonly source: Stretch;
  readonly alignment: Alignment;
  readonly features: Float32Array;
}

/**
 * Aligns a claim with a source and measures how far the one says what the other says.
 *
 * @param features where to write the features, for callers that compare many pairs
 */
export function comparePair(
  claim: Stretch,
  source: Stretch,
  vectors: WordVectors,
  features: Float32Array = new Float32Array(PAIR_FEATURES.length),
): Pair {
  const alignment = alignWords(claim, source, vectors.highCosine);
  features.fill(0);
  const pair = { claim, source, alignment, features };
  addCoverage(pair);
  addConflicts(pair);
  addDenial(pair);
  addOrder(pair);
  return pair;
}

function set(features: Float32Array, name: PairFeature, value: number): void {
  features[PAIR_INDEX[name]] = value;
}

function bump(features: Float32Array, name: PairFeature, value: number): void {
  features[PAIR_INDEX[name]] = (features[PAIR_INDEX[name]] as number) + value;
}

/** Whether a word is a name: capital, and not merely as the first of its sentence. */
export function isName(stretch: Stretch, at: number): boolean {
  const shape = stretch.shape[at] as number;
  if ((shape & SHAPE.capital) === 0 || (stretch.entries[at] as Entry).word.length < 2) return false;
  if (((stretch.entries[at] as Entry).kinds & KIND.function) !== 0) return false;
  const first = at === 0 || ((stretch.gap[at] as number) & (GAP.stop | GAP.line)) !== 0;
  return !first || (shape & SHAPE.allCapitals) !== 0 || (stretch.entries[at] as Entry).row < 0;
}

function isFunction({ kinds }: Entry): boolean {
  return (kinds & KIND.function) !== 0;
}

function addCoverage({ claim, source, alignment, features }: Pair): void {
  let total = 0;
  let matched = 0;
  let exact = 0;
  let runs = 0;
  let unmatched = 0;
  let heaviest = 0;
  for (let i = 0; i < claim.entries.length; i++) {
    const entry = claim.entries[i] as Entry;
    total += entry.weight;
    const j = alignment.partner[i] as number;
    if (j < 0) {
      if (isFunction(entry)) continue;
      unmatched++;
      heaviest = Math.max(heaviest, entry.weight);
      continue;
    }
    const quality = alignment.quality[i] as number;
    matched += entry.weight * quality;
    if (quality === 1) exact += entry.weight;
    if (i > 0 && alignment.partner[i - 1] === j - 1 && j > 0) runs++;
  }
  let sourceTotal = 0;
  let sourceMatched = 0;
  for (let j = 0; j < source.entries.length; j++) {
    const { weight } = source.entries[j] as Entry;
    sourceTotal += weight;
    const i = alignment.reverse[j] as number;
    if (i >= 0) sourceMatched += weight * (alignment.quality[i] as number);
  }
  set(features, 'claimCoverage', total === 0 ? 0 : matched / total);
  set(features, 'sourceCoverage', sourceTotal === 0 ? 0 : sourceMatched / sourceTotal);
  set(features, 'claimExact', total === 0 ? 0 : exact / total);
  set(features, 'claimRuns', runs / Math.max(1, claim.entries.length - 1));
  set(features, 'unmatched', Math.min(unmatched, 8));
  set(features, 'heaviestUnmatched', heaviest);
  set(features, 'lengthRatio', Math.min(4, total / Math.max(1, sourceTotal)));
}

/** Words without a partner that stand in the same slot: what one side says instead of the other. */
function addConflicts(pair: Pair): void {
  const { claim, alignment, features } = pair;
  let inserted = 0;
  let total = 0;
  for (let i = 0; i < claim.entries.length; i++) {
    const entry = claim.entries[i] as Entry;
    total += entry.weight;
    if ((alignment.partner[i] as number) >= 0) continue;
    const name = isName(claim, i);
    if ((entry.kinds & KIND.number) !== 0) bump(features, 'numberUnmatched', 1);
    if (name) bump(features, 'nameUnmatched', 1);
    const slot = slotOf(pair, i);
    const from = Math.floor(slot / SLOT_WIDTH);
    const to = slot % SLOT_WIDTH;
    let filled = false;
    for (let j = from; j < to; j++) {
      if ((alignment.reverse[j] as number) >= 0) continue;
      filled = compareSlot(pair, i, j, name) || filled;
    }
    if (!(filled || isFunction(entry))) inserted += entry.weight;
    if (from === to || !filled) farOpposites(pair, i);
  }
  set(features, 'insertedShare', total === 0 ? 0 : inserted / total);
}

/** More words than a sentence has; a slot is one number, since a pair would be made for every word. */
const SLOT_WIDTH = 2 ** 24;

/**
 * The words of the source between the partners of the nearest words that have one: the first one
 * times SLOT_WIDTH, plus the one behind the last.
 */
function slotOf({ claim, source, alignment }: Pair, i: number): number {
  let left = -1;
  let right = source.entries.length;
  for (let at = i - 1; at >= 0 && at >= i - 4; at--) {
    if ((alignment.partner[at] as number) < 0 || alignment.displaced[at] === 1) continue;
    left = alignment.partner[at] as number;
    break;
  }
  for (let at = i + 1; at < claim.entries.length && at <= i + 4; at++) {
    if ((alignment.partner[at] as number) < 0 || alignment.displaced[at] === 1) continue;
    right = alignment.partner[at] as number;
    break;
  }
  if (left < 0 && right === source.entries.length) return 0;
  if (left < 0) return Math.max(0, right - 4) * SLOT_WIDTH + right;
  return (left + 1) * SLOT_WIDTH + Math.min(right, left + 6);
}

function compareSlot(
  { claim, source, features }: Pair,
  i: number,
  j: number,
  name: boolean,
): boolean {
  const a = claim.entries[i] as Entry;
  const b = source.entries[j] as Entry;
  const both = a.kinds & b.kinds;
  if ((both & KIND.number) !== 0) bump(features, 'numberConflict', 1);
  else if (isOpposite(a, b)) bump(features, 'opposites', 1);
  else if (isSynonym(a, b)) return true;
  else if ((both & KIND.quantifier) !== 0) bump(features, 'quantifierConflict', 1);
  else if ((both & KIND.modal) !== 0) bump(features, 'modalConflict', 1);
  else if ((both & KIND.calendar) !== 0) bump(features, 'calendarConflict', 1);
  else if ((both & KIND.unit) !== 0) bump(features, 'unitConflict', 1);
  else if (isFunction(a) || isFunction(b)) return false;
  else if (isSameTopic(a, b)) bump(features, 'topicConflict', 1);
  else if (name && isName(source, j)) bump(features, 'nameConflict', 1);
  else bump(features, 'wordConflict', 1);
  return true;
}

function farOpposites({ claim, source, alignment, features }: Pair, i: number): void {
  const a = claim.entries[i] as Entry;
  if (a.opposites.length === 0) return;
  for (let j = 0; j < source.entries.length; j++) {
    if ((alignment.reverse[j] as number) >= 0 || !isOpposite(a, source.entries[j] as Entry))
      continue;
    bump(features, 'opposites', 0.5);
    return;
  }
}

const SCOPE = 4;

/** Whether a word is denied: a denying word shortly before it in the same clause, or right behind. */
function isDenied(stretch: Stretch, at: number): boolean {
  for (let before = at; before >= 0 && before >= at - SCOPE; before--) {
    if (((stretch.entries[before] as Entry).kinds & KIND.negation) !== 0) return true;
    if (((stretch.gap[before] as number) & (GAP.pause | GAP.stop)) !== 0) return false;
  }
  return false;
}

/** The share of partners of which one is denied and the other is not. */
function addDenial({ claim, source, alignment, features }: Pair): void {
  let partners = 0;
  let different = 0;
  for (let i = 0; i < claim.entries.length; i++) {
    const j = alignment.partner[i] as number;
    if (j < 0 || isFunction(claim.entries[i] as Entry)) continue;
    partners++;
    const denied = isDenied(claim, i) !== (claim.denied === 1);
    if (denied !== isDenied(source, j)) different++;
  }
  const flips = countDenialFlips(claim.entries, source.entries, alignment);
  set(features, 'denialFlips', claim.denied === 1 ? 0 : Math.min(2, flips));
  set(features, 'denialCount', Math.min(3, different));
  set(features, 'denialParity', hasOtherParity(claim, source, alignment) ? 1 : 0);
  set(features, 'denial', partners === 0 ? 0 : Math.min(1, different / Math.min(partners, 4)));
}

/** Source words this far from a word with a partner belong to what the claim is about. */
const REACH = 6;

/** Whether one side denies an odd number of times and the other does not: "not" twice is a yes. */
function hasOtherParity(claim: Stretch, source: Stretch, { reverse }: Alignment): boolean {
  let denials = claim.denied;
  for (const { kinds } of claim.entries) if ((kinds & KIND.negation) !== 0) denials++;
  for (let j = 0; j < source.entries.length; j++) {
    const { kinds } = source.entries[j] as Entry;
    if ((kinds & KIND.negation) !== 0 && isAmongPartners(source, reverse, j)) denials++;
  }
  return denials % 2 === 1;
}

/** Whether a word of substance with a partner stands near a word of the source. */
function isAmongPartners(source: Stretch, reverse: readonly number[], j: number): boolean {
  const to = Math.min(source.entries.length - 1, j + REACH);
  for (let at = Math.max(0, j - REACH); at <= to; at++) {
    if (!isFunction(source.entries[at] as Entry) && (reverse[at] as number) >= 0) return true;
  }
  return false;
}

/** A word that moved by less than this, such as in "pilots of the harbour", kept its role. */
const FAR = 6;

/** Where in the source a word would stand if it had kept its place beside the words before it. */
function expectedPlace({ partner, displaced }: Alignment, i: number): number {
  for (let far = 1; far <= 6; far++) {
    const before = i >= far ? (partner[i - far] as number) : -1;
    if (before >= 0 && displaced[i - far] !== 1) return before + far;
    const after = i + far < partner.length ? (partner[i + far] as number) : -1;
    if (after >= 0 && displaced[i + far] !== 1) return after - far;
  }
  return Number.NEGATIVE_INFINITY;
}

/** Partners out of order; those that moved far and alone speak of swapped roles. */
function addOrder({ claim, alignment, features }: Pair): void {
  let content = 0;
  let displaced = 0;
  let exchanged = 0;
  for (let i = 0; i < claim.entries.length; i++) {
    if ((alignment.partner[i] as number) < 0 || isFunction(claim.entries[i] as Entry)) continue;
    content++;
    if (alignment.displaced[i] !== 1) continue;
    displaced++;
    const j = alignment.partner[i] as number;
    const left = i > 0 && alignment.partner[i - 1] === j - 1;
    const right = i + 1 < claim.entries.length && alignment.partner[i + 1] === j + 1;
    if (!(left || right) && Math.abs(j - expectedPlace(alignment, i)) >= FAR) exchanged++;
  }
  set(features, 'displaced', content === 0 ? 0 : displaced / content);
  set(features, 'exchanged', Math.min(4, exchanged));
}
