import { type Entry, KIND } from './lexicon.ts';

const PREFIXES = ['un', 'in', 'im', 'ir', 'il', 'dis', 'non', 'mis'];

/** Whether two words are the same: one stem, or one number however written. */
export function isSameWord(a: Entry, b: Entry): boolean {
  return a.stem === b.stem;
}

/** Whether two words can stand for each other. */
export function isSynonym(a: Entry, b: Entry): boolean {
  return sharesNumber(a.senses, b.senses);
}

/** Whether two words are of one field, such as two instruments or two days. */
export function isSameTopic(a: Entry, b: Entry): boolean {
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
export function isKindred(a: Entry, b: Entry): boolean {
  const [x, y] = [a.word, b.word];
  const shorter = Math.min(x.length, y.length);
  if (shorter < 4 || (a.kinds & KIND.number) !== 0) return false;
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
