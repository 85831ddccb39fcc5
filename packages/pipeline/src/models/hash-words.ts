import { mixLetter, PRIME, WORD_SALT } from './hashing.ts';

/** The hash that readFeatures gives a word. */
export function hashOfWord(word: string): number {
  let hash = WORD_SALT;
  for (let at = 0; at < word.length; at++) hash = mixLetter(hash, word.charCodeAt(at));
  return hash;
}

/** The hash that readFeatures gives a sign, by itself a word. */
export function hashOfSign(sign: string): number {
  return Math.imul(sign.charCodeAt(0) + 64, PRIME);
}
