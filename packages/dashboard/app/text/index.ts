import type { Text } from './data/en.ts';
import { en } from './data/en.ts';

/** The words of the page, chosen before the first page is drawn. */
export let t: Text = en;

/** Languages that the pages have, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

const KEY = 'probity-language';

/** Loads the words: of the language that was chosen here, else of the browser. */
export async function loadText(): Promise<void> {
  const wanted = localStorage.getItem(KEY) ?? navigator.languages.find(isKnown) ?? 'en';
  if (wanted.startsWith('de')) t = (await import('./data/de.ts')).de;
  document.documentElement.lang = t.language;
}

/** Chooses a language for this browser. */
export function chooseLanguage(language: keyof typeof LANGUAGES): void {
  localStorage.setItem(KEY, language);
  location.reload();
}

function isKnown(language: string): boolean {
  return /^(en|de)\b/.test(language);
}
