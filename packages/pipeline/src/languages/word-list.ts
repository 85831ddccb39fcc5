import type { LanguageData, WordList } from './language-data.ts';

/** The entries of a list; none for an empty one. */
export function wordsOf(list: WordList): string[] {
  const entries = list.trim();
  return entries === '' ? [] : entries.split(/,\s+/);
}

/** The entries of one list in all languages, each once. */
export function wordsIn(
  languages: readonly LanguageData[],
  listOf: (language: LanguageData) => WordList | undefined,
): string[] {
  const lists = languages.map(listOf).filter((list) => list !== undefined);
  return [...new Set(lists.flatMap(wordsOf))];
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
