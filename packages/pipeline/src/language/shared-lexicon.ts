import { readModelBytes } from '../models/model-bytes.ts';
import type { Lexicon } from './lexicon.ts';
import { createLexicon } from './lexicon.ts';
import { readRelatedWords } from './related-words.ts';
import { readWordVectors } from './word-vectors.ts';

let shared: Lexicon | undefined;

/** The lexicon over the shipped words and relations; read from disk at the first call, then kept. */
export function sharedLexicon(): Lexicon {
  shared ??= createLexicon(
    readWordVectors(readModelBytes('words')),
    readRelatedWords(readModelBytes('relations')),
  );
  return shared;
}
