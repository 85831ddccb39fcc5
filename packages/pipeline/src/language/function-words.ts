import { hashWord } from '../tokens/word-hash.ts';
import functionWords from './data/function-words.json' with { type: 'json' };
import type { HashTable } from './hash-table.ts';
import { createHashTable } from './hash-table.ts';

// Made at the first use: a program that imports the package may never scan.
let hashes: HashTable | undefined;

/** Whether a word, by its hash, carries grammar rather than subject matter. */
export function isFunctionWord(hash: number): boolean {
  hashes ??= hashAll();
  return hashes.get(hash) > 0;
}

function hashAll(): HashTable {
  // Not a Set: it would make an object of each hash that is looked up.
  const all = createHashTable(1024);
  for (const word of functionWords) all.set(hashWord(word), 1);
  return all;
}
