import { lowerOf } from './characters.ts';

/** What the hash of a word begins with. */
export const HASH_SEED = 0x811c9dc5 | 0;
/** What the hash is multiplied with for each unit (FNV-1a, 32 bits). */
export const HASH_PRIME = 0x01000193;

/** The hash of a run of words and signs that goes on with text[start, end) in lower case. */
export function hashOfRun(text: string, start: number, end: number, before = HASH_SEED): number {
  let hash = before;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ lowerOf(text.charCodeAt(at)), HASH_PRIME);
  }
  return hash;
}

/** The hash that a word is known by, from the one of its run. */
export function finishHash(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** The hash that a word is known by; `word` in lower case. */
export function hashWord(word: string): number {
  return finishHash(hashOfRun(word, 0, word.length));
}
