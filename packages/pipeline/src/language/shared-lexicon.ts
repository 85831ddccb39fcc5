import { readFileSync } from 'node:fs';
import type { Lexicon } from './lexicon.ts';
import { createLexicon } from './lexicon.ts';
import { readRelatedWords } from './related-words.ts';
import { readWordVectors } from './word-vectors.ts';

const WORDS = new URL('../../../models/words.bin', import.meta.url);
const RELATIONS = new URL('../../../models/relations.bin', import.meta.url);

let shared: Lexicon | undefined;

/** The lexicon over the shipped words and relations; read from disk at the first call, then kept. */
export function sharedLexicon(): Lexicon {
  shared ??= createLexicon(
    readWordVectors(readFileSync(WORDS)),
    readRelatedWords(readFileSync(RELATIONS)),
  );
  return shared;
}
