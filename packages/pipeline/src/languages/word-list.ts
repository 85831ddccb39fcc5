import type { LanguageData, WordList } from './language-data.ts';

/** The entries of one list in all languages, each once. */
export function wordsIn(
  languages: readonly LanguageData[],
  listOf: (language: LanguageData) => WordList | undefined,
): string[] {
  return [...new Set(languages.flatMap((language) => listOf(language) ?? []))];
}

/** What no text has. */
const NOTHING = '(?!)';

/** The source of a regular expression for one of the words; `*` stands for any ending. */
export function anyOf(words: readonly string[]): string {
  return anyFragment(
    words.map((word) => word.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '\\w*')),
  );
}

/** The source of a regular expression for one of the fragments of expressions. */
export function anyFragment(fragments: readonly string[]): string {
  return fragments.length === 0 ? NOTHING : fragments.join('|');
}
