import { LANGUAGES } from '../languages/languages.generated.ts';
import { readModelBytes } from '../models/model-bytes.ts';
import { grammarOf } from './grammar.ts';
import type { Lexicon } from './lexicon.ts';
import { createLexicon } from './lexicon.ts';
import { emptyRelatedWords, readRelatedWords } from './related-words.ts';
import { emptyWordVectors, readWordVectors } from './word-vectors.ts';

let shared: Lexicon | undefined;
const others = new Map<string, Lexicon>();

/** The lexicon over the shipped words and relations; read from disk at the first call, then kept. */
export function sharedLexicon(): Lexicon {
  shared ??= createLexicon(
    readWordVectors(readModelBytes('words')),
    readRelatedWords(readModelBytes('relations')),
  );
  return shared;
}

/** The lexicon of a language whose file has words to compare by; that of English for all others. */
export function lexiconOf(tag: string | undefined): Lexicon {
  const known = others.get(tag ?? '');
  if (known !== undefined) return known;
  const words = LANGUAGES.find((language) => language.tag === tag)?.comparison;
  if (tag === undefined || words === undefined) return sharedLexicon();
  const lexicon = createLexicon(emptyWordVectors(), emptyRelatedWords(), grammarOf(tag, words));
  others.set(tag, lexicon);
  return lexicon;
}
