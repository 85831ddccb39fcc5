/** The golden ratio as a fraction of 2^32; an odd number whose bits are well spread. */
export const PRIME = 0x9e3779b1;
/** What the hash of a word begins with. */
export const WORD_SALT = 0x51ed270b;
/** What the second hash of a word begins with. */
export const SECOND_SALT = 0x3c6ef372;
const FINISH = 0x1b873593;

/** Takes one more character into the hash of a word. */
export function mixLetter(hash: number, code: number): number {
  const mixed = Math.imul(hash ^ code, PRIME);
  return mixed ^ (mixed >>> 15);
}

/** Spreads the bits of a hash joined with a salt over all places. */
export function mixHash(word: number, salt: number): number {
  let hash = Math.imul(word ^ salt, PRIME);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, FINISH);
  return hash ^ (hash >>> 13);
}
