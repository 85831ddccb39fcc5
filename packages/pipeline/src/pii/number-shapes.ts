import type { LanguageData } from '../languages/language-data.ts';
import { LANGUAGES } from '../languages/languages.generated.ts';
import { anyOf, wordsIn } from '../languages/word-list.ts';

/** Digits in groups of three after the first, as in `12 345 678` or `1.234.567`. */
const THOUSANDS = /^\d{1,3}(?:[ .]\d{3})+$/;
const COMPACT_DATE = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** Units that all languages write alike. */
const UNITS = '[kmgt]i?b|[nmu]s|s|eur|usd|gbp|km|m|mm|cm|kg|g|mg|mah|kwh';
/** Fewer groups in even steps are chance. */
const MIN_STEPS = 4;

/** Whether a value could as well be a large number with its thousands set apart. */
export function isThousands(value: string): boolean {
  return THOUSANDS.test(value);
}

/** Whether eight digits can be a year, a month and a day. */
export function isCompactDate(value: string): boolean {
  return COMPACT_DATE.test(value);
}

/** Makes the test whether what follows says that the number before it counts or measures something. */
export function createCountTest(
  languages: readonly LanguageData[],
): (text: string, end: number) => boolean {
  const things = anyOf(wordsIn(languages, ({ pii }) => pii?.countedThings));
  const counted = new RegExp(`^ (?:${things}|${UNITS})(?![\\p{L}\\d])`, 'iu');
  return (text, end) => text.charCodeAt(end) === 0x20 && counted.test(text.slice(end, end + 16));
}

/** {@link createCountTest} with all languages. */
export const isCounted = createCountTest(LANGUAGES);

/** Whether the groups of a value rise or fall in even steps, as in `20 30 40 50`. */
export function isProgression(value: string): boolean {
  const groups = (value.match(/\d+/g) ?? []).map(Number);
  if (groups.length < MIN_STEPS) return false;
  const step = (groups[1] as number) - (groups[0] as number);
  return groups.every((group, at) => at === 0 || group - (groups[at - 1] as number) === step);
}
