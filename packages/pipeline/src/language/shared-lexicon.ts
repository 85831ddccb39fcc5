import { readFileSync } from 'node:fs';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { readWordVectors } from './word-vectors.ts';

const WORDS = new URL('../../../models/words.bin', import.meta.url);

let shared: Lexicon | undefined;

/** The lexicon over the shipped word vectors; read from disk at the first call, then kept. */
export function sharedLexicon(): Lexicon {
  shared ??= createLexicon(readWordVectors(readFileSync(WORDS)));
  return shared;
}
