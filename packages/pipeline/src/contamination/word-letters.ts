/** How the letters of a word are packed: 26 bits say which there are, six how many signs it has. */
const COUNT_SHIFT = 26;
const SET = (1 << COUNT_SHIFT) - 1;
const MAX_COUNT = 63;

/**
 * The letters of text[start, end) as one number, so that words can be compared roughly without
 * strings. Case does not matter; signs that are neither letters nor digits don't count.
 */
export function lettersOf(text: string, start: number, end: number): number {
  let set = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const letter = code | 0x20;
    if (letter >= 0x61 && letter <= 0x7a && code < 128) set |= 1 << (letter - 0x61);
    else if (code >= 128 || (code >= 0x30 && code <= 0x39)) set |= 1 << (code % COUNT_SHIFT);
    else continue;
    count++;
  }
  return set | (Math.min(count, MAX_COUNT) << COUNT_SHIFT);
}

/** The letters of two words written as one. */
export function joinLetters(one: number, other: number): number {
  const count = Math.min(countOf(one) + countOf(other), MAX_COUNT);
  return ((one | other) & SET) | (count << COUNT_SHIFT);
}

/**
 * Whether two words may be the same but for a typing error or an ending: four signs at least,
 * lengths at most two apart, at most two letters that only one of them has.
 */
export function areSimilar(one: number, other: number): boolean {
  const [a, b] = [countOf(one), countOf(other)];
  if (Math.min(a, b) < 4 || Math.abs(a - b) > 2) return false;
  return bitsOf((one ^ other) & SET) <= 2;
}

/** How many signs a word has, at most 63. */
export function countOf(letters: number): number {
  return letters >>> COUNT_SHIFT;
}

function bitsOf(set: number): number {
  let left = set;
  let bits = 0;
  for (; left !== 0; left &= left - 1) bits++;
  return bits;
}
