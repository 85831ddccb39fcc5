import { kindOf, LETTER } from '../tokens/characters.ts';
import { mixHash, PRIME } from './hashing.ts';

const GRAM_SALT = 0x02e5be93;
const BOUNDARY = 3;
/** Shorter words have no letters of note beside themselves. */
const MIN_GRAM_WORD = 4;
/** Words with more letters are no words, or not of a language that has words. */
const MAX_GRAM_WORD = 24;
const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;

/**
 * Calls `visit` with the hashes of one word: of the word itself, and of the groups of three to five
 * characters in it, its two ends counted as characters.
 *
 * @param word the word's hash as readFeatures gives it
 */
export function eachWordHash(
  text: string,
  start: number,
  end: number,
  word: number,
  visit: (hash: number) => void,
): void {
  visit(mixHash(word, 0));
  const length = end - start;
  if (length < MIN_GRAM_WORD || length > MAX_GRAM_WORD) return;
  if (kindOf(text.charCodeAt(start)) !== LETTER) return;
  const codeAt = (at: number) =>
    at === 0 || at > length ? BOUNDARY : text.charCodeAt(start + at - 1);
  for (let from = 0; from + SHORTEST_GRAM <= length + 2; from++) {
    let hash = GRAM_SALT;
    const last = Math.min(from + LONGEST_GRAM, length + 2);
    for (let at = from; at < last; at++) {
      hash = mixGram(hash, codeAt(at));
      if (at - from + 1 >= SHORTEST_GRAM) visit(hash);
    }
  }
}

function mixGram(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, PRIME);
  return mixed ^ (mixed >>> 13);
}
