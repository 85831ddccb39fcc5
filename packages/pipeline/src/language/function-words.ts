import { FUNCTION_WORDS } from './data/function-words.ts';
import { createHashTable } from './hash-table.ts';
import { hashWord } from './scan-words.ts';

// Not a Set: it would make an object of each hash that it is asked for.
const HASHES = createHashTable(1024);
for (const word of FUNCTION_WORDS.split(/\s+/)) HASHES.set(hashWord(word), 1);

/** Whether a word, by its hash, carries grammar rather than subject matter. */
export function isFunctionWord(hash: number): boolean {
  return HASHES.get(hash) > 0;
}
