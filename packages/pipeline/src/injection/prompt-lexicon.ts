import type { LanguageData } from '../languages/language-data.ts';
import { wordsIn } from '../languages/word-list.ts';
import type { WordClass } from './word-class.ts';
import { WORD_CLASSES } from './word-class.ts';

/** The words of each class, `*` for any ending after at least four letters. */
export type PromptLexicon = ReadonlyMap<WordClass, readonly string[]>;

/** The words of all languages by class. */
export function promptLexicon(languages: readonly LanguageData[]): PromptLexicon {
  return new Map(
    WORD_CLASSES.map((word) => [
      word,
      wordsIn(languages, ({ injection }) => injection?.lexicon?.[word]),
    ]),
  );
}
