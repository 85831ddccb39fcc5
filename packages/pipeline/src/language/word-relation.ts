import type { Entry } from './lexicon.ts';
import type { RelatedWords } from './related-words.ts';

const PREFIXES = ['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'mis'];

/** How two words relate; bits of what the function of {@link createRelations} returns. */
export const RELATION = Object.freeze({
  /** They occur in like contexts (distributional similarity). */
  near: 1,
  /** They look like forms of one word. */
  derived: 2,
  synonym: 4,
  opposite: 8,
  topic: 16,
  /** The second is what the first is a kind or a part of: an event, to a concert. */
  broader: 32,
  /** The second is a kind or a part of the first. */
  narrower: 64,
});

/** Any of these makes a word of a claim the partner of one of the source. */
export const ALIKE = RELATION.near | RELATION.derived | RELATION.synonym | RELATION.narrower;

const CACHE_BITS = 13;
const KIND_NUMBER = 4;
const KIND_MEASURE = 32 | 64;

/** What a word has to share with another one to have anything to do with it. */
export interface Traits {
  /** Bits of its senses and topics, and of its sides of pairs of opposites. */
  readonly meanings: number;
  /** The same bits, with the other sides of its pairs of opposites. */
  readonly counterparts: number;
  /** Its first and its last four letters; its own number where it has fewer. */
  readonly head: number;
  readonly tail: number;
  /** One bit of 64 for its row, and the bits of the rows that a dictionary relates it to. */
  readonly self: number;
  readonly selfHigh: number;
  readonly related: number;
  readonly relatedHigh: number;
}

interface Groups {
  readonly senses: readonly number[];
  readonly topics: readonly number[];
  readonly opposites: readonly number[];
}

/** The traits of a word. */
export function traitsOf(
  word: string,
  { senses, topics, opposites }: Groups,
  row: number,
  related: RelatedWords,
): Traits {
  const groups = bitsOf(senses, 1) | bitsOf(topics, 2);
  return {
    meanings: groups | bitsOf(opposites, 3),
    counterparts:
      groups |
      bitsOf(
        opposites.map((side) => -side),
        3,
      ),
    head: word.length < 4 ? -1 : lettersFrom(word, 0),
    tail: word.length < 4 ? -1 : lettersFrom(word, word.length - 4),
    self: row < 0 ? 0 : bitOfRow(row, 0),
    selfHigh: row < 0 ? 0 : bitOfRow(row, 1),
    related: row < 0 ? 0 : bitsOfRelated(row, related, 0),
    relatedHigh: row < 0 ? 0 : bitsOfRelated(row, related, 1),
  };
}

function bitsOf(numbers: readonly number[], salt: number): number {
  let bits = 0;
  for (const number of numbers) bits |= 1 << (Math.imul(number * 4 + salt, 0x9e3779b1) >>> 27);
  return bits;
}

/** The bit of a row in the lower or the upper half of 64; 0 where it is in the other half. */
function bitOfRow(row: number, half: number): number {
  const place = Math.imul(row, 0x9e3779b1) >>> 26;
  return place >>> 5 === half ? 1 << (place & 31) : 0;
}

function bitsOfRelated(row: number, { rows, first }: RelatedWords, half: number): number {
  let bits = 0;
  const to = first(row + 1);
  for (let at = first(row); at < to; at++) bits |= bitOfRow(rows[at] as number, half);
  return bits;
}

/** Whether a dictionary knows an opposite of the word of a row. */
export function hasOpposite(row: number, { bits, first }: RelatedWords): boolean {
  if (row < 0) return false;
  const to = first(row + 1);
  for (let at = first(row); at < to; at++) {
    if (((bits[at] as number) & RELATION.opposite) !== 0) return true;
  }
  return false;
}

function lettersFrom(word: string, at: number): number {
  let letters = 0;
  for (let next = at; next < at + 4; next++) letters = (letters << 8) ^ word.charCodeAt(next);
  return letters & 0x7fffffff;
}

/** Whether two words may have anything to do with each other; mostly not, and that is seen at once. */
function mayRelate(a: Traits, b: Traits): boolean {
  if ((a.meanings & b.counterparts) !== 0) return true;
  if (((a.related & b.self) | (a.relatedHigh & b.selfHigh)) !== 0) return true;
  return (a.head === b.head && a.head !== -1) || (a.tail === b.tail && a.tail !== -1);
}

/**
 * Makes the function that relates two words, in bits of RELATION. It caches some thousand
 * pairs, as the same words meet again and again.
 */
export function createRelations(related: RelatedWords): (a: Entry, b: Entry) => number {
  const size = 1 << CACHE_BITS;
  const left = new Int32Array(size).fill(-1);
  const right = new Int32Array(size);
  const held = new Uint8Array(size);
  return (a, b) => {
    if (!mayRelate(a.traits, b.traits)) return 0;
    const slot = (Math.imul(a.id, 0x9e3779b1) ^ Math.imul(b.id, 0x85ebca6b)) >>> (32 - CACHE_BITS);
    if (left[slot] === a.id && right[slot] === b.id) return held[slot] as number;
    const bits = relate(a, b, related);
    left[slot] = a.id;
    right[slot] = b.id;
    held[slot] = bits;
    return bits;
  };
}

function relate(a: Entry, b: Entry, related: RelatedWords): number {
  let bits = 0;
  if (isOpposite(a, b)) bits |= RELATION.opposite;
  if (isSameTopic(a, b)) bits |= RELATION.topic;
  if (isSynonym(a, b)) bits |= RELATION.synonym;
  if (bits !== 0 || ((a.kinds | b.kinds) & KIND_NUMBER) !== 0) return bits;
  // Two units, months or days are as alike as can be, and never the same.
  if ((a.kinds & b.kinds & KIND_MEASURE) !== 0) return bits;
  const known = related.between(a.row, b.row);
  return isDerived(a, b) ? known | RELATION.derived : known;
}

/** Whether two words can stand for each other. */
export function isSynonym(a: Entry, b: Entry): boolean {
  return sharesNumber(a.senses, b.senses);
}

/** Whether two words are of one field, such as two instruments or two days. */
function isSameTopic(a: Entry, b: Entry): boolean {
  return sharesNumber(a.topics, b.topics);
}

/** Whether two words exclude each other. */
export function isOpposite(a: Entry, b: Entry): boolean {
  for (const side of a.opposites) if (b.opposites.includes(-side)) return true;
  return isNegatedForm(a.word, b.word) || isNegatedForm(b.word, a.word);
}

function isNegatedForm(long: string, short: string): boolean {
  const extra = long.length - short.length;
  if (extra < 2 || extra > 3 || short.length < 4 || !long.endsWith(short)) return false;
  return PREFIXES.includes(long.slice(0, extra));
}

/** Whether two words look like forms of one: a long common beginning. */
export function isDerived(a: Entry, b: Entry): boolean {
  const [x, y] = [a.word, b.word];
  const shorter = Math.min(x.length, y.length);
  if (shorter < 4 || (a.kinds & KIND_NUMBER) !== 0) return false;
  let same = 0;
  while (same < shorter && x.charCodeAt(same) === y.charCodeAt(same)) same++;
  if (same === shorter && Math.max(x.length, y.length) - same <= 3) return true;
  return same >= 5 && same >= shorter - 2 && same >= 0.6 * Math.max(x.length, y.length);
}

function sharesNumber(left: readonly number[], right: readonly number[]): boolean {
  if (left.length === 0 || right.length === 0) return false;
  for (const number of left) if (right.includes(number)) return true;
  return false;
}
