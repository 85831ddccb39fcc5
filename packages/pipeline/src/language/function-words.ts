import { FUNCTION_WORDS } from './data/function-words.ts';
import { hashWord } from './scan-words.ts';

const HASHES: ReadonlySet<number> = new Set(FUNCTION_WORDS.split(/\s+/).map(hashWord));

/** Whether a word, by its hash, carries grammar rather than subject matter. */
export function isFunctionWord(hash: number): boolean {
  return HASHES.has(hash);
}
